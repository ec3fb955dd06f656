package sdk

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/bodylimit"
	"github.com/tollgatepay/gateway/internal/strictjson"
	"github.com/tollgatepay/gateway/store"
)

// Bounds of a request: bytes of the body and of the token.
const (
	maxBody  = 1 << 10
	maxToken = 512
)

// entry is the body of a request that the card's frame sends.
type entry struct {
	Number string `json:"card_number"`
	Expiry string `json:"expiry"`
	Code   string `json:"cvv"`
}

var entries = strictjson.For[entry](strictjson.Limits{MaxBytes: maxBody, MaxDepth: 1, MaxKeys: 8})

// collect accepts a card from the card's frame only. Requests of other origins and of programs are refused, and no
// header lets another origin read the answer.
func (f *fields) collect(w http.ResponseWriter, r *http.Request) {
	token := tokenOf(r)
	if !fromFrame(r) || token == "" || len(token) > maxToken {
		refuse(w)
		return
	}
	card, err := readCard(w, r)
	if err == nil {
		err = f.gw.Collect(r.Context(), token, card)
	}
	f.answer(w, r, err)
}

// tokenOf returns the session token. A request with two tokens has none, as at the other paths of the protocol.
func tokenOf(r *http.Request) string {
	if values := r.Header["Token"]; len(values) == 1 {
		return values[0]
	}
	return ""
}

// fromFrame reports whether a document of our own origin sent the request. Browsers without Sec-Fetch-Site (all of
// them over plain HTTP, and Safari before 16.4) send the origin, whose host must then be ours.
func fromFrame(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site == "same-origin"
	}
	u, err := url.Parse(r.Header.Get("Origin"))
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, r.Host)
}

// readCard reads the body. For a body that our frames never send the error is gateway.ErrInvalid; no error repeats
// what was sent.
func readCard(w http.ResponseWriter, r *http.Request) (card Card, err error) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return Card{}, gateway.ErrInvalid
	}
	body, err := io.ReadAll(bodylimit.Reader(w, r, maxBody))
	defer clear(body)
	if err != nil {
		return Card{}, gateway.ErrInvalid
	}
	typed, faults := entries.Decode(body)
	if len(faults) > 0 {
		return Card{}, gateway.ErrInvalid
	}
	// Each is copied: a number that is a part of what was decoded would keep the code in memory.
	if card.Number, err = store.ParsePAN(strings.Clone(typed.Number)); err != nil {
		return Card{}, err
	}
	if card.Expiry, err = store.ParseExpiry(typed.Expiry); err != nil {
		return Card{}, err
	}
	if typed.Code == "" { // if it is optional
		return card, nil
	}
	if card.Code, err = store.ParseSecurityCode(strings.Clone(typed.Code)); err != nil {
		return Card{}, err
	}
	return card, nil
}

// outcome is every JSON answer, in the words of onSubmitResult.
type outcome struct {
	Result  string `json:"result"`
	Message string `json:"message,omitempty"`
}

// answer reports the result: 200, 403 with a page, 422 for what the payer can correct, 500 for anything else.
func (f *fields) answer(w http.ResponseWriter, r *http.Request, err error) {
	var refused *gateway.Error
	switch {
	case err == nil:
		tell(w, http.StatusOK, outcome{Result: "success"})
	case errors.Is(err, gateway.ErrNoSession):
		refuse(w)
	case errors.Is(err, store.ErrPAN):
		tell(w, http.StatusUnprocessableEntity, outcome{"undefined", store.ErrPAN.Error()})
	case errors.Is(err, store.ErrExpiry):
		tell(w, http.StatusUnprocessableEntity, outcome{"undefined", store.ErrExpiry.Error()})
	case errors.Is(err, store.ErrSecurityCode):
		tell(w, http.StatusUnprocessableEntity, outcome{"undefined", store.ErrSecurityCode.Error()})
	case errors.As(err, &refused) && refused.Status() < http.StatusInternalServerError:
		tell(w, http.StatusUnprocessableEntity, outcome{"undefined", forPayer(refused)})
	default:
		f.log.ErrorContext(r.Context(), "hosted fields: collect", "error", err)
		tell(w, http.StatusInternalServerError, outcome{"undefined", "The card data could not be saved. Please try again."})
	}
}

// forPayer returns a refusal in the words that the merchant's page shows: the faults only, without our field
// names.
func forPayer(refused *gateway.Error) string {
	if len(refused.Faults()) == 0 {
		return refused.Message()
	}
	texts := make([]string, len(refused.Faults()))
	for i, fault := range refused.Faults() {
		texts[i] = fault.Text
	}
	return strings.Join(texts, " ")
}

func tell(w http.ResponseWriter, status int, o outcome) {
	secure(w.Header())
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	var body bytes.Buffer
	_ = json.NewEncoder(&body).Encode(o) // cannot fail: two strings
	_, _ = w.Write(body.Bytes())
}
