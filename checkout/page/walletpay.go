package page

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/policy"
)

// fieldWallet carries the token of a wallet, JSON text.
const fieldWallet = "wallet_token"

// maxWalletToken bounds the token of a wallet, in bytes: they are about 4 KiB.
const maxWalletToken = 32 << 10

// walletToken reads the token of a wallet; it is not ok where it is no JSON object.
func walletToken(form url.Values) (token string, ok bool) {
	token = strings.TrimSpace(form.Get(fieldWallet))
	return token, len(token) <= maxWalletToken && strings.HasPrefix(token, "{") && json.Valid([]byte(token))
}

// walletAnswer tells the script how a payment by wallet went, since the wallet shows it before the page goes on.
type walletAnswer struct {
	Result string        `json:"result"` // success, or fail
	Faults []walletFault `json:"faults,omitempty"`
	// Changed says that the page shows what does not hold any more: it has to be opened anew.
	Changed bool `json:"changed,omitempty"`
}

// walletFault is what the payer has to put right before he tries again. Field is the id of an element, empty
// where none is to blame.
type walletFault struct {
	Field string `json:"field"`
	Text  string `json:"text"`
}

// scripted holds for what the script of the wallets sends: it wants no page back.
func scripted(r *http.Request) bool { return r.Header.Get("Accept") == "application/json" }

// resultOf is what a wallet shows at the end: fail where the payer is to pay anew, or cannot.
func resultOf(turn *gateway.Turn) string {
	switch turn.Kind {
	case gateway.TurnForm:
		return "fail"
	case gateway.TurnLeave:
		switch turn.Status {
		case gateway.LeftDeclined, gateway.LeftCancelled, gateway.LeftExpired:
			return "fail"
		}
	}
	return "success"
}

// faultsAnswer tells the script what is wrong.
func faultsAnswer(t *Texts, faults []fault) walletAnswer {
	answer := walletAnswer{Result: "fail"}
	for _, f := range faults {
		answer.Faults = append(answer.Faults, walletFault{f.field, faultText(t, f)})
	}
	return answer
}

// writeJSON answers the script.
func writeJSON(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil { // cannot happen: texts only
		status, text = http.StatusInternalServerError, []byte("{}")
	}
	policy.Secure(w.Header())
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text)
}
