package page

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/clean"
	"github.com/tollgatepay/gateway/checkout/page/internal/form"
	"github.com/tollgatepay/gateway/checkout/page/texts"
	"github.com/tollgatepay/gateway/store"
)

// The wallets that a browser can open, by their names in the script and the stylesheet.
const (
	walletApple  = "apple"
	walletGoogle = "google"
)

// trade are the names of the wallets, which are the same in every language.
var trade = map[string]string{walletApple: "Apple Pay", walletGoogle: "Google Pay"}

// WalletView is a button that opens a wallet. It needs the script, which shows it if the browser can open the
// wallet.
type WalletView struct {
	ID            string // of its section
	Code          string // of the method
	Wallet        string // apple or google
	Name          string // of the wallet, the same in every language
	Button        string // in words
	Failed        string // text of the script when the wallet does not open
	Request       string // the request to the wallet, JSON
	Asks, Fields  []AskField
	Merchant      string // label of the total
	Currency, Sum string // of the total, when the request does not have it
}

// Needs reports whether the payer has to enter something that the wallet does not send.
func (w WalletView) Needs() bool { return len(w.Asks)+len(w.Fields) > 0 }

// walletOf returns the request for the wallet of a method. ok is false when there is nothing to request, or when
// the amount is not known yet: a wallet's sheet shows what is paid.
func walletOf(t *Texts, next *gateway.NextAction, m gateway.MethodChoice) (v WalletView, ok bool) {
	if !form.IsWallet(m) || m.Wallet == nil || next.NeedAmount {
		return v, false
	}
	var request any
	switch merchant := clean.Shown(next.Merchant); {
	case m.Wallet.Apple != nil && m.Wallet.Apple.Amount != "":
		v.Wallet, request = walletApple, appleRequest(m.Wallet.Apple, merchant)
	case m.Wallet.Google != nil && m.Wallet.Google.Amount != "":
		g := m.Wallet.Google
		v.Wallet, request = walletGoogle, googleRequest(g, merchant)
		v.Merchant, v.Currency, v.Sum = cmp.Or(clean.Shown(g.MerchantName), merchant), g.CurrencyCode, g.Amount
	default:
		return v, false
	}
	text, err := json.Marshal(request)
	if err != nil {
		return v, false // cannot happen: texts only
	}
	v.Code, v.Name, v.Request = m.Code, trade[v.Wallet], string(text)
	v.Button, v.Failed = texts.Say(t, t.PayWith, v.Name), texts.Say(t, t.WalletFailed, v.Name)
	return v, true
}

// walletViews returns the buttons of a form, in the order of its methods.
func walletViews(t *Texts, next *gateway.NextAction, now time.Time) (views []WalletView) {
	for i, m := range next.Methods {
		v, ok := walletOf(t, next, m)
		if !ok {
			continue
		}
		v.ID = "wallet-" + strconv.Itoa(i)
		v.Asks = askFields(t, form.QuestionsOf(i, m), nil, nil)
		v.Fields = payerViews(t, form.PayerQuestions(i, m), nil, next.Country, nil, now)
		views = append(views, v)
	}
	return views
}

// appleTotal is the line of an ApplePayPaymentRequest that the payer agrees to.
type appleTotal struct {
	Label  string `json:"label"`
	Amount string `json:"amount"`
	Type   string `json:"type"`
}

// applePayRequest is an ApplePayPaymentRequest.
type applePayRequest struct {
	CountryCode          string     `json:"countryCode"`
	CurrencyCode         string     `json:"currencyCode"`
	MerchantCapabilities []string   `json:"merchantCapabilities"`
	SupportedNetworks    []string   `json:"supportedNetworks"`
	Total                appleTotal `json:"total"`
}

func appleRequest(a *gateway.AppleRequest, merchant string) applePayRequest {
	return applePayRequest{
		a.CountryCode, a.CurrencyCode, listed(a.MerchantCapabilities), listed(a.SupportedNetworks),
		appleTotal{cmp.Or(clean.Shown(a.Label), merchant), a.Amount, "final"},
	}
}

// googlePayRequest is the data of the payment method https://google.com/pay.
type googlePayRequest struct {
	Environment           store.WalletEnvironment `json:"environment"`
	APIVersion            int                     `json:"apiVersion"`
	APIVersionMinor       int                     `json:"apiVersionMinor"`
	MerchantInfo          googleMerchant          `json:"merchantInfo"`
	AllowedPaymentMethods []googleMethod          `json:"allowedPaymentMethods"`
	TransactionInfo       googleTransaction       `json:"transactionInfo"`
}

type googleMerchant struct {
	ID   string `json:"merchantId,omitempty"`
	Name string `json:"merchantName,omitempty"`
}

type googleMethod struct {
	Type                      string             `json:"type"`
	Parameters                googleCards        `json:"parameters"`
	TokenizationSpecification googleTokenization `json:"tokenizationSpecification"`
}

type googleCards struct {
	AuthMethods []string `json:"allowedAuthMethods"`
	Networks    []string `json:"allowedCardNetworks"`
}

type googleTokenization struct {
	Type       string `json:"type"`
	Parameters struct {
		Gateway    string `json:"gateway"`
		MerchantID string `json:"gatewayMerchantId"`
	} `json:"parameters"`
}

type googleTransaction struct {
	CurrencyCode string `json:"currencyCode"`
	CountryCode  string `json:"countryCode,omitempty"`
	PriceStatus  string `json:"totalPriceStatus"`
	Price        string `json:"totalPrice"`
}

func googleRequest(g *gateway.GoogleRequest, merchant string) googlePayRequest {
	tokenization := googleTokenization{Type: "PAYMENT_GATEWAY"}
	tokenization.Parameters.Gateway, tokenization.Parameters.MerchantID = g.Gateway, g.GatewayMerchantID
	return googlePayRequest{
		Environment: cmp.Or(g.Environment, store.WalletProduction), APIVersion: 2,
		MerchantInfo: googleMerchant{g.MerchantID, cmp.Or(clean.Shown(g.MerchantName), merchant)},
		AllowedPaymentMethods: []googleMethod{{
			"CARD", googleCards{listed(g.AuthMethods), listed(g.Networks)}, tokenization,
		}},
		TransactionInfo: googleTransaction{g.CurrencyCode, g.CountryCode, "FINAL", g.Amount},
	}
}

// listed is never null in JSON.
func listed(list []string) []string { return append([]string{}, list...) }

// asksGoogle reports whether one of the buttons opens wallet B.
func asksGoogle(views []WalletView) bool {
	return slices.ContainsFunc(views, func(v WalletView) bool { return v.Wallet == walletGoogle })
}
