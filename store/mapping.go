package store

// Protocol is one of the ways a merchant talks to the platform.
type Protocol string

// The protocols of the specification. Hosted Payment Fields share the Checkout mapping.
const (
	Checkout Protocol = "checkout"
	S2SCard  Protocol = "s2s_card"
	S2SAPM   Protocol = "s2s_apm"
)

// S2S reports whether the protocol is one of form-encoded actions.
func (p Protocol) S2S() bool { return p == S2SCard || p == S2SAPM }

// Protocols returns every protocol.
func Protocols() []Protocol { return []Protocol{Checkout, S2SCard, S2SAPM} }

// SignedByEmail is the value of Mapping.CryptoSaleSignature that is not the default.
const SignedByEmail = "email"

// Mapping is the Protocol Mapping of a merchant: which protocol it may use, and how. Each option is
// off by default, which is the platform's default.
type Mapping struct {
	// MerchantID is the merchant it belongs to. (ours; required)
	MerchantID string `json:"merchant"`
	// Protocol is what the mapping is for: checkout, s2s_card or s2s_apm. Each protocol has its own. (SPEC1, What the
	// service does; required)
	Protocol Protocol `json:"protocol"`
	// Disabled closes the protocol to the merchant. (errors.md, 204002)
	Disabled bool `json:"disabled,omitempty"`

	// MaxDeclines is Maximum number of declines: how many declined attempts a session allows before the payer is sent
	// to cancel_url; up to 1000. (SPEC1, Limits; default 3, ours)
	MaxDeclines int `json:"max_declines,omitempty"`
	// SHA256 signs with SHA-256 in place of MD5. (checkout.md, "Hash formulas")
	SHA256 bool `json:"sha256,omitempty"`
	// CryptoSaleSignature is how callbacks of a crypto SALE of S2S APM are signed: over the whole body, or with
	// email over the payer's e-mail and the payment's id. (decision bv; default the whole body)
	CryptoSaleSignature string `json:"crypto_sale_signature,omitempty"`
	// ShortAmounts accepts amounts with fewer decimals than the format asks for, never more: 123 in USD. They are
	// hashed and echoed as they were sent. (decision am)
	ShortAmounts bool `json:"short_amounts,omitempty"`
	// PartialRefundSettled keeps SETTLED until everything is refunded: the option partial_refund_status:
	// settled. (decision n; default off: a partial refund gives REFUND)
	PartialRefundSettled bool `json:"partial_refund_settled,omitempty"`
	// OrderAmountOnly leaves out the amounts that Checkout adds to order_amount for follow-ups: amount in their
	// callbacks and answers, captured_amount and refunded_amount in status answers. (decision aq)
	OrderAmountOnly bool `json:"order_amount_only,omitempty"`
	// PendingRefunds adds pending_refund_amount to Checkout's status answers: what refunds and reversals that are not
	// finished will give back. (decision cg)
	PendingRefunds bool `json:"pending_refund_amount,omitempty"`
	// RequireName asks the payer for the cardholder's name when the request brought none. (SPEC1, customer.name)
	RequireName bool `json:"require_name,omitempty"`
	// AnyName accepts names in letters other than Latin. (our reading of SPEC1, customer.name)
	AnyName bool `json:"any_name,omitempty"`
	// RequireExpected refuses updates and payments of Hosted Payment Fields without expected_amount and
	// expected_currency: what the merchant's backend expects the session to be about. A holder of the token can then
	// change neither unnoticed. (ours)
	RequireExpected bool `json:"require_expected_amount,omitempty"`
	// Required names the payer fields that S2S requests must have: payer_address, payer_country, payer_city,
	// payer_zip. (SPEC1, Versioning, 6.7.0)
	Required []string `json:"required,omitempty"`
	// Language of the page when the request names none.
	// (SPEC1, billing_address.language; default none: what the browser asks for, or English)
	Language string `json:"language,omitempty"`
	// TermsURL shows the Terms and Conditions checkbox on the page, with a link to this text; the payer
	// has to tick it. (our reading of SPEC1, Versioning, which only names it)
	TermsURL string `json:"terms_url,omitempty"`
	// MemoryRedirect is the redirect mode Memory Storage: the address that the payer is redirected to is kept in the
	// memory of the process that got it, and never in the store. A payer who reloads after a restart waits for the
	// outcome instead of being sent again. (our reading of SPEC1, Versioning, 6.6.4, which only names it)
	MemoryRedirect bool `json:"memory_redirect,omitempty"`

	// Cascade tries the next MID after a soft decline. (callbacks.md, "Cascading")
	Cascade bool `json:"cascade,omitempty"`
	// CascadingStatus is Cascading Context for Get Status: a lookup by id returns the newest attempt of its cascade.
	// (decision ak)
	CascadingStatus bool `json:"cascading_status,omitempty"`
	// Limits bound the amounts that the merchant takes by this protocol, over all MIDs. Payments under the test key
	// are counted separately. (errors.md, 204008 and 204015)
	Limits MappingLimits `json:"limits,omitzero"`
	// PreRouting limits the methods of a session that names none: the first rule that fits decides.
	// (our reading of SPEC1, methods; default empty: cards and every method that the MIDs list)
	PreRouting []PreRoute `json:"pre_routing,omitempty"`

	// ReturnExtras are Return additional parameters: what success_url and cancel_url carry in addition to payment_id,
	// trans_id, order_id and hash. Possible are payment_method, brand, card, order_status, amount, currency. (SPEC1,
	// Events, which names the first two; the others are our reading)
	ReturnExtras []string `json:"return_extras,omitempty"`
	// Add names what callbacks and status answers carry in addition to what they always do. (SPEC1, Events)
	Add Additions `json:"add,omitzero"`
}

// MappingLimits are the greatest sums that a mapping allows, as decimal strings in the currency of the payment.
// Each currency is counted separately.
type MappingLimits struct {
	// Day is the limit of a day in UTC. (our reading of errors.md, 204008)
	Day string `json:"day,omitempty"`
	// Week is the limit of a week in UTC, which begins on Monday. (our reading of errors.md, 204015)
	Week string `json:"week,omitempty"`
}

// PreRoute is one rule of pre-routing. An empty condition is always true.
type PreRoute struct {
	// Currencies are the order's currencies to which the rule applies. (our reading of SPEC1, methods; default empty:
	// any)
	Currencies []string `json:"currencies,omitempty"`
	// Countries are the countries of the payer's billing address to which the rule applies, alpha-2. (our reading of
	// SPEC1, methods; default empty: any)
	Countries []string `json:"countries,omitempty"`
	// Min is the least amount, inclusive, as a decimal string. (our reading of SPEC1, methods)
	Min string `json:"min,omitempty"`
	// Max is the greatest amount, inclusive, as a decimal string. (our reading of SPEC1, methods)
	Max string `json:"max,omitempty"`
	// Methods are the codes of the methods that the session offers. (our reading of SPEC1, methods; required)
	Methods []string `json:"methods"`
}

// Additions are the switches of Protocol Mapping that add to callbacks and status answers (SPEC1, "Events";
// CO662). Each has the name of the field that it adds.
type Additions struct {
	// Card adds card and card_expiration_date to status answers; callbacks always have them.
	// (SPEC1, Status lookup by order)
	Card bool `json:"card,omitempty"`
	// Brand adds brand. (SPEC1, Events)
	Brand bool `json:"brand,omitempty"`
	// ARN adds ARN. Callbacks have it empty when there is no ARN, status answers leave it out. (SPEC1, Events)
	ARN bool `json:"arn,omitempty"`
	// COF adds the Card-on-File attributes initiator, source and sequence. (SPEC1, Events)
	COF bool `json:"cof,omitempty"`
	// Payer adds the 15 payer fields. (SPEC1, Events; which they are: decision ae)
	Payer bool `json:"payer,omitempty"`
	// Method adds checkout_payment_method. (SPEC1, Events)
	Method bool `json:"method,omitempty"`
	// ThreeDS adds the nine result attributes of 3-D Secure. (SPEC1, Events)
	ThreeDS bool `json:"three_ds,omitempty"`
	// Browser adds the ten browser_* attributes. (SPEC1, Events)
	Browser bool `json:"browser,omitempty"`
	// Extended is Add Extended Data to Callback: connector_name, rrn, approval_code, gateway_id,
	// extra_gateway_id, merchant_name, mid_name, issuer_country and issuer_bank. (decision ad)
	Extended bool `json:"extended_data,omitempty"`
}

// ReturnExtraNames returns the names that ReturnExtras may hold.
func ReturnExtraNames() []string {
	return []string{"payment_method", "brand", "card", "order_status", "amount", "currency"}
}

// DefaultMaxDeclines applies where a mapping does not set MaxDeclines.
const DefaultMaxDeclines = 3
