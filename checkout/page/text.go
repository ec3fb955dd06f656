package page

import (
	"strings"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/methods"
)

// Texts is everything the page says, in one language. %s stands where the comment says; no sentence is
// put together from parts.
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
	Pay         string // %s is the amount
	Paying      string
	Cancel      string // %s is the merchant
	BankNote    string

	// The choice of a method. A hint says what happens after the button; %s is the method.
	Choose string
	Hints  map[methods.MethodKind]string

	// What is wrong with the form. %s is the label of a field.
	Problems      string
	BadNumber     string
	BadExpiry     string
	BadCode       string
	BadName       string
	BadMethod     string
	BlankAnswer   string
	LongAnswer    string
	BadAnswer     string
	RefusedMethod string // as Refused, where no card was asked for
	Refused       string // the kernel would not take it and named no field we show
	Declined      string
	LeftOne       string
	LeftMany      string // %d is the number of attempts
	ExpiresSoon   string
	Expired       string

	// A code or details to pay by.
	ScanTitle, ScanText       string
	DetailsTitle, DetailsText string
	ConfirmTitle, ConfirmText string // neither code nor details
	CodeAlt                   string // the picture, for those who do not see it
	CodeContent               string // what the code holds
	CodeLink                  string // where it holds a link
	Copy, CopyThis, Copied    string // CopyThis: %s is the label
	PayBefore                 string
	LeftSoon, LeftMinute      string
	LeftMinutes               string // %d is the number of minutes
	LeftClock                 string // %s is minutes and seconds
	Watching                  string
	ShowExpired               Message

	// What a connector asks for after the start.
	AskTitle, AskText, AskSend, AskSending, AskWrong string

	// On the way.
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

	// How it ended. Returned is for payers whom nobody awaits.
	Returned Message
	Results  map[gateway.LeaveStatus]Message

	// What went wrong, by HTTP status; status 0 is for every other one.
	Failures map[int]Message
	TryAgain string
}

// Message is a heading and a sentence.
type Message struct{ Title, Text string }

// english is the language of last resort. The texts beside the fields and of a decline are those of the
// platform (errors.md, "Checkout hosted-page (form) messages").
var english = Texts{
	Lang: "en", Dir: "ltr",

	PayTitle:    "Pay %s",
	TestMode:    "Test mode",
	TestExplain: "No card is charged and no money moves.",
	OrderNumber: "Order",
	ValidUntil:  "Please pay before",

	CardDetails: "Card details",
	Number:      "Card number",
	Expiry:      "Expiry date",
	ExpiryHint:  "MM/YY",
	Code:        "Security code",
	CodeHint:    "3 digits, on the back of the card",
	CodeHint4:   "4 digits, on the front of the card",
	Name:        "Name on card",
	Pay:         "Pay %s",
	Paying:      "Paying. Please wait.",
	Cancel:      "Cancel and return to %s",
	BankNote:    "Your bank may ask you to confirm the payment.",

	Choose: "How would you like to pay?",
	Hints: map[methods.MethodKind]string{
		methods.KindRedirect:     "You finish the payment on the page of %s.",
		methods.KindQR:           "You get a QR code to scan.",
		methods.KindConfirmation: "You confirm the payment in an app or on your phone.",
		methods.KindDetails:      "You are shown where to send the money.",
		methods.KindLink:         "You get a link by e-mail or text message.",
		methods.KindCrypto:       "You are shown where to send the money.",
	},

	Problems:      "Please check your details",
	BadNumber:     "Invalid card number",
	BadExpiry:     "The expiration date of card is expired and not valid.",
	BadCode:       "Invalid security code",
	BadName:       "The name on card field (must contain first and last name; hyphen, apostrophe, diacritics allowed)",
	BadMethod:     "Please choose how to pay.",
	BlankAnswer:   "%s: please fill this in.",
	LongAnswer:    "%s: at most 255 characters.",
	BadAnswer:     "%s: this is not valid.",
	RefusedMethod: "This payment cannot be made this way. Please try another way to pay.",
	Refused:       "This payment cannot be made with this card. Please try another card or another way to pay.",
	Declined:      "Declined by processing.",
	LeftOne:       "You can try once more.",
	LeftMany:      "You can try %d more times.",
	ExpiresSoon:   "This page expires in less than two minutes.",
	Expired:       "This page has expired.",

	ScanTitle: "Scan to pay", ScanText: "Scan the code with the app of your bank or wallet.",
	DetailsTitle: "Payment details", DetailsText: "Please pay with exactly these details.",
	ConfirmTitle: "Confirm the payment", ConfirmText: "Please confirm the payment in your app, or follow the message you were sent.",
	CodeAlt: "QR code of this payment", CodeContent: "Cannot scan? Show the code as text", CodeLink: "Open the link of the code",
	Copy: "Copy", CopyThis: "Copy %s", Copied: "Copied",
	PayBefore: "Please pay before",
	LeftSoon:  "Less than a minute left", LeftMinute: "About a minute left", LeftMinutes: "About %d minutes left", LeftClock: "%s left",
	Watching:    "We look for your payment every few seconds. This page goes on by itself.",
	ShowExpired: Message{"Time is over", "This can no longer be paid. Please do not pay any more; the page goes on in a moment."},

	AskTitle: "One more step", AskText: "Please fill this in to finish the payment.", AskSend: "Continue",
	AskSending: "Sending. Please wait.", AskWrong: "That was not accepted. Please try again.",

	BankTitle:     "Confirm with your bank",
	BankText:      "Your bank wants to be sure that it is you. The page of your bank opens by itself.",
	AwayTitle:     "One more step",
	AwayText:      "You finish the payment on another page, which opens by itself.",
	Continue:      "Continue",
	WaitTitle:     "Your payment is being processed",
	WaitText:      "This takes a few seconds. Please keep this page open; it goes on by itself.",
	LookAgain:     "Look again now",
	LeaveTitle:    "Back to %s",
	LeaveText:     "You are finished here. The shop opens by itself.",
	LeaveContinue: "Continue to %s",

	Returned: Message{"Thank you", "You can close this page and go back to the shop."},
	Results: map[gateway.LeaveStatus]Message{
		gateway.LeftPaid:      {"Payment complete", "Thank you. You can close this page."},
		gateway.LeftCancelled: {"Payment cancelled", "Nothing was paid. You can close this page."},
		gateway.LeftDeclined:  {"Payment declined", "Nothing was charged. Please ask the shop for another way to pay."},
		gateway.LeftExpired:   {"This page has expired", "Please go back to the shop and start again."},
		gateway.LeftUndefined: {"Payment not confirmed yet", "We do not know the result yet and will tell the shop as soon as we do. Please do not pay again; ask the shop about your order."},
	},

	Failures: map[int]Message{
		403: {"This request did not come from our page", "Please open the payment page again and repeat what you did."},
		404: {"Page not found", "This link is not valid, or not any more. Please go back to the shop and start again."},
		0:   {"Something went wrong", "Please open the payment page again. It shows how your payment stands; nothing is paid twice."},
	},
	TryAgain: "Open the payment page",
}

// languages are the texts by the names that requests use, lower case (SPEC1, language). What is not
// here is English.
var languages = map[string]*Texts{
	"en": &english,
}

// textsFor picks the language: what the request asked for, what the mapping says, then English.
func textsFor(asked, mapping string) *Texts {
	for _, name := range []string{asked, mapping} {
		if texts, ok := languages[strings.ToLower(name)]; ok {
			return texts
		}
	}
	return &english
}
