package gateway

import (
	"cmp"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/schedule"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Kept is what a payer entered for an attempt that was declined. The next form shows it filled in. The card's number
// and code are not kept, nor the answers to a method's prompts: they may be account and identity numbers.
type Kept struct {
	Method string
	Saved  int    // place of the saved card in NextAction.Cards, from 1; 0 for none
	Expiry string // MM/YYYY of a card that was typed
	// Fields are the payer's fields by the paths of MethodChoice.Fields. The name on a card is "customer.name".
	Fields map[string]string
	Amount string // where the payer was asked for it
	Terms  bool   // the payer agreed to the terms
}

// Subscription describes the later payments that a payer agrees to, made without the payer. Count is 0 if no schedule
// sets their dates: the merchant then charges as agreed with the payer elsewhere.
type Subscription struct {
	Amount string // of each later payment, in the order's currency
	Every  int    // units between two payments
	Unit   store.IntervalUnit
	Count  int // how many later payments there are
	// First and Last are the dates of the first and the last later payment if the payer pays now, at midnight
	// UTC. Both are zero with Held.
	First, Last time.Time
	// DayOfMonth is the intended day of the month, where First is on another: the 31st after the 28th of February, or the
	// first of a month after a first payment in the middle of one. 0 for none.
	DayOfMonth int
	// Held reports that the payment is only held, so the dates count from its capture (decision ar).
	Held bool
}

// date computes the dates from today on, as the chain will.
func (sub *Subscription) date(set *records.Schedule, zone, start string, now time.Time) {
	begins, _ := schedule.ParseDate(start) // checked when the session was created
	p := records.Plan{Zone: zone}
	p.Begun = schedule.DateOf(now, p.Location())
	p.Renew(set, begins, now)
	first := p.Next(set)
	sub.First = first.Start(time.UTC)
	sub.Last = p.Anchor.At(&set.Schedule, p.Slot+set.PaymentsCount-1).Start(time.UTC)
	if wished := cmp.Or(set.DayOfMonth, p.Anchor.Day); set.IntervalUnit == store.Month && set.PaymentsCount > 1 &&
		wished != first.Day {
		sub.DayOfMonth = wished
	}
}

// ActionKind says what a payer's browser should show next.
type ActionKind string

// The kinds of action.
const (
	ActionCollect  ActionKind = "collect"  // show the form, and send what is entered to PaySession
	ActionRedirect ActionKind = "redirect" // send to Redirect: the issuer's 3-D Secure page or a bank
	ActionDisplay  ActionKind = "display"  // show Display, a QR code or payment details, and look again in a moment
	ActionPrompt   ActionKind = "prompt"   // ask for Prompts, and send what is entered to AnswerSession
	ActionPoll     ActionKind = "poll"     // wait, and look again in a moment
	ActionReturn   ActionKind = "return"   // send to URL, or show Status where the merchant gave no URL
)

// NextAction is what the payer of a session should see next, with all that a page needs to show it. It is read from the
// records every time, so a reload, the back button and a second window show the same.
type NextAction struct {
	Kind      ActionKind
	SessionID string
	Merchant  string     // name, shown to the payer
	Test      bool       // show the test banner
	Operation store.Kind // what the session is for: a purchase, a debit, a payout or a transfer
	Order     store.Order
	Payee     string    // name of the receiver of a transfer or payout, empty for others
	Country   string    // of the payer, if known
	Language  string    // as requested, not validated
	Default   string    // language of the mapping
	ExpiresAt time.Time // of the link; zero on the page of a payment without a session

	// With ActionCollect.
	Attempt      int    // send it back in Submission.Attempt
	Declined     string // why the last attempt was declined, empty before the first
	AttemptsLeft int    // before the session closes
	NeedName     bool   // ask for the cardholder's name
	// Code says whether to ask for a card's security code. NeedPayeeCard asks for the number of the card that a transfer
	// goes to, NeedAmount for the amount in the order's currency.
	Code          CodeNeed
	NeedPayeeCard bool
	NeedAmount    bool
	// Kept is what the payer entered for the previous attempt; nil before the first.
	Kept *Kept
	// Cards are the saved cards of the session. The payer may use one instead of typing a card.
	Cards []SavedCard
	// TermsURL leads to the terms that the payer has to agree to; empty if the mapping has none.
	TermsURL string
	VAT      *ContainedVAT // the tax that the amount contains; nil for none
	FormID   string        // form_id of the request, for hosts with templates of their own
	CanLeave bool          // the merchant gave a cancel_url

	// Subscription is what the payer agrees to besides the payment; nil for nothing.
	Subscription *Subscription
	// Agreement identifies what the form asks the payer to agree to: the amount, Subscription and TermsURL. Send it back
	// in Submission.Agreement.
	Agreement string

	// Methods are what the payer can choose from on the form, the first one preselected; never empty there.
	Methods []MethodChoice

	// With ActionRedirect.
	Redirect *store.Redirect

	Display *store.Display // with ActionDisplay
	Prompts []store.Prompt // with ActionPrompt
	// PromptedAgain reports that the previous answers were wrong.
	PromptedAgain bool

	// With ActionReturn. URL is complete, with the return parameters; empty where the merchant gave none.
	URL    string
	Target string // where to open URL: _self, _parent, _top or _blank
	Status ReturnStatus

	// BackURL is where the merchant takes a payer who cannot go on: error_url or else cancel_url, as sent, and with Hosted
	// Payment Fields else return_url. Empty if the merchant gave none.
	BackURL string

	// Origins may frame the page. FormOrigins are those of the session's own URLs. form-action has to name them because
	// browsers apply it to redirects after a POST.
	Origins     []string
	FormOrigins []string
}

// CodeNeed says whether to ask for the security code of a card.
type CodeNeed string

// The needs. The zero value asks for the code.
const (
	CodeNeeded   CodeNeed = ""
	CodeOptional CodeNeed = "optional" // by mail or telephone (decision t)
	CodeNone     CodeNeed = "none"     // a payout never has one (decision aa)
)

// SavedCard is what a payer may see of a card that the merchant named by its token.
type SavedCard struct {
	Mask   string
	Expiry string // MM/YYYY
	Brand  string
}

// PayerField is a field that the method needs and the merchant left out. Path is its name in a session request, like
// "billing_address.city".
type PayerField struct {
	Path     string
	Required bool
}

// ReturnStatus says how a session ended, for the page shown where the merchant gave no URL.
type ReturnStatus string

// How a session ends for the payer.
const (
	ReturnPaid      ReturnStatus = "paid"
	ReturnCancelled ReturnStatus = "cancelled"
	ReturnDeclined  ReturnStatus = "declined"
	ReturnExpired   ReturnStatus = "expired"
	ReturnUndefined ReturnStatus = "undefined" // not known yet; the callback will report it
)

// MethodChoice is a method the payer can pay with, and what the form has to ask for besides a card.
type MethodChoice struct {
	Code    string
	Name    string
	Kind    methods.MethodKind
	Prompts []methods.Prompt
	// Brands are the card brands that the MIDs take; nil for every brand, and where no card is taken.
	Brands []store.Brand
	// Fields are the payer's fields that are still needed.
	Fields []PayerField
	// Wallet is what the page passes to a wallet; nil for every other method.
	Wallet *WalletRequest
}

// Submission is what the payer sends from the form.
type Submission struct {
	// Attempt repeats NextAction.Attempt. A form sent twice carries a used number: it starts nothing and returns the
	// current next action.
	Attempt int
	// Method is the code of the method chosen; empty for the first of NextAction.Methods.
	Method string
	// Card is the card of a method of kind card; it is ignored for any other. Saved is the place of a saved card in
	// NextAction.Cards, from 1, to use instead.
	Card  methods.Card
	Saved int
	// PayeeCard is the card a transfer goes to, and Amount how much, if the payer was asked for them.
	PayeeCard store.PAN
	Amount    string
	// Fields are the payer's fields by the paths of MethodChoice.Fields; others are ignored.
	Fields map[string]string
	// WalletToken is the token of a method of kind wallet, as the wallet gave it: JSON text.
	WalletToken string
	// Terms reports that the payer agreed to the terms.
	Terms bool
	// Agreement repeats NextAction.Agreement of the form that the payer saw. Nothing is charged if what it identifies
	// has changed since. If it is empty, nothing is compared.
	Agreement string
	// Answers are the payer's answers to the Prompts of the method, by name.
	Answers map[string]string
	IP      string            // of the payer
	Browser map[string]string // browser attributes, by the names of SPEC1 without "browser_"
}

// ContainedVAT is the value added tax that the amount of the order contains.
type ContainedVAT struct {
	Amount string // in the order's currency
	Rate   string // as people read it, like "19%"; may be empty
}

// WalletRequest is what a page passes to a wallet: one of the two, by the method. It comes from the merchant's wallet
// settings (SPEC2, "Wallet tokens"). Amounts are decimal text in the order's currency.
type WalletRequest struct {
	Apple  *AppleRequest
	Google *GoogleRequest
}

// AppleRequest holds the members of an ApplePayPaymentRequest.
type AppleRequest struct {
	CountryCode          string
	CurrencyCode         string
	MerchantCapabilities []string
	SupportedNetworks    []string
	Label                string // the shop's name, beside the total
	Amount               string
}

// GoogleRequest holds what a PaymentRequest of https://google.com/pay needs.
type GoogleRequest struct {
	Environment       store.WalletEnvironment
	MerchantID        string // at the wallet; empty in TEST
	MerchantName      string
	Gateway           string
	GatewayMerchantID string // the merchant's key
	AuthMethods       []string
	Networks          []string
	CountryCode       string
	CurrencyCode      string
	Amount            string
}
