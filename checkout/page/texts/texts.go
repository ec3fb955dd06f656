// Package texts owns what the payment page says, in every language, and the choice of the language. All pages
// share the texts; callers must not change them.
package texts

import (
	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/methods"
)

// Texts is everything that the page says, in one language. The comments say what %s is; no sentence is put
// together from parts.
type Texts struct {
	Lang string // BCP 47, for the lang attribute
	Dir  string // ltr or rtl

	// Head.
	PayTitle    string // %s is the merchant
	TestMode    string
	TestExplain string
	OrderNumber string
	ValidUntil  string

	// Form.
	CardDetails string
	Number      string
	Expiry      string
	ExpiryHint  string
	Code        string
	CodeHint    string
	CodeHint4   string // for brands with four digits
	Name        string
	Accepted    string // before the brands of accepted cards
	Pay         string // %s is the amount
	Paying      string
	Cancel      string // %s is the merchant
	BankNote    string

	// Wallets. %s is the name of the wallet.
	PayWith         string // on its button
	OrCard, OrOther string // between the wallets and a card, or other methods
	NoWallet        string // no wallet can be opened here, and there is no other method
	WalletFailed    string // the button was pressed and the wallet did not open

	// The choice of a method. A hint says what happens after the button; %s is the method.
	Choose string
	Hints  map[methods.MethodKind]string

	// Payouts and transfers. %s is the merchant in a title, the amount on a button.
	ReceiveTitle, Receive, ReceiveChoose, ReceiveCard string
	SendTitle, Send, SendOpen                         string
	YourCard, Recipient, PayeeNumber                  string
	FinishBefore                                      string
	AmountHint                                        string // %s is an amount
	AmountNext                                        string // the amount is entered on a later page
	VAT                                               string // the tax within the amount; %s is tax and rate
	BadAmount                                         string

	// Saved cards.
	ChooseCard, AnotherCard string

	// What the payer is asked for. %s is a label.
	Optional                       string
	FullName, LatinHint, BirthDate string
	PhoneCode, Select              string
	BlankField, BadField           string
	Terms, TermsRead, BadTerms     string

	Subscription SubscriptionTexts

	// What is wrong with the form. %s is the label of a field.
	Problems      string
	BadNumber     string
	BadExpiry     string
	BadCode       string
	BadName       string
	BadMethod     string
	Changed       string // the terms on the form have changed since it was opened
	BlankAnswer   string
	LongAnswer    string
	BadAnswer     string
	RefusedMethod string // like Refused, when no card was asked for
	Refused       string // the kernel refused it and named no field that is shown
	Declined      string
	NextCard      string // what to do next, after a declined card
	NextOther     string // the same for another method
	LeftOne       string
	LeftMany      string // %d is the number of attempts
	ExpiresSoon   string
	Expired       string

	// A code or details to pay by.
	ScanTitle, ScanText       string
	DetailsTitle, DetailsText string
	ConfirmTitle, ConfirmText string // neither code nor details
	CodeAlt                   string // the picture, for those who cannot see it
	CodeContent               string // what the code contains
	CodeLink                  string // if the code contains a link
	Copy, CopyThis, Copied    string // CopyThis: %s is the label
	PayBefore                 string
	LeftSoon, LeftMinute      string
	LeftMinutes               string // %d is the number of minutes
	LeftClock                 string // %s is minutes and seconds
	Watching                  string
	ShowExpired               Message

	// What a connector asks for after the start.
	AskTitle, AskText, AskSend, AskSending, AskWrong string

	// While the payer is away.
	BankTitle     string
	BankText      string
	AwayTitle     string
	AwayText      string
	Continue      string
	WaitTitle     string
	WaitText      string
	LookAgain     string
	LeaveTitle    string // %s is the merchant
	LeaveText     string
	LeaveContinue string // %s is the merchant

	// How it ended. Returned is for payers without a merchant's page to return to.
	Returned Message
	Results  map[gateway.ReturnStatus]Message

	// What went wrong, by HTTP status; status 0 is every other one.
	Failures map[int]Message
	TryAgain string

	// Translations of texts from elsewhere, by their English text: why an attempt failed, in the platform's own
	// words, and the labels and methods of the catalogue. An acquirer's reason, a trade name or the name of a
	// document that has no translation (IBAN, CURP) is not here and is shown unchanged.
	Reasons map[string]string
	Labels  map[string]string
}

// AmountLabel returns the label of the amount that a payer enters.
func (t *Texts) AmountLabel() string { return Word(t, "Amount") }

// Message is a heading and a sentence.
type Message struct{ Title, Text string }

// SubscriptionTexts are the texts about later payments.
type SubscriptionTexts struct {
	Title, AgreeTitle string // headings: with a schedule, and without one
	Today, Later      string // labels of amounts
	First, Last, Only string // labels of the dates of later payments; Only if there is one
	MonthDay          string // label of the day of the month
	OrLastDay         string // %d is a day that some months do not have
	Ends              string // %s is the merchant
	Held              string // from when the dates count; %s is the merchant
	Agree             string // without a schedule; %s is the merchant
	Pay, PayAgree     string // buttons; %s is the amount of today
	Start, AgreeOnly  string // the same when nothing is paid today

	Day, Week, Month, Year Interval
	Payments               Plural
}

// Interval is how often something happens: each unit, or every few units.
type Interval struct {
	Each  string
	Every Plural
}
