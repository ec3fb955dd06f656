package page

import (
	"strings"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/form"
	"github.com/tollgatepay/gateway/checkout/page/texts"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// OperationWords are the words of a page for the operation: to pay, to receive money, to send it.
type OperationWords struct {
	Title  string // of the page
	Choose string // a method
	Card   string // heading of the fields of the card
	Button string
	Busy   string // after the button was pressed
	Before string // until when it is possible
}

// operationWords returns the words for an action. amount is empty when the payer enters it, here or on a later
// page.
func operationWords(t *Texts, next *gateway.NextAction, merchant, amount string) OperationWords {
	w := OperationWords{
		Title: texts.Say(t, t.PayTitle, merchant), Choose: t.Choose, Card: t.CardDetails,
		Button: button(t, t.Pay, t.Continue, amount), Busy: t.Paying, Before: t.ValidUntil,
	}
	if next.Subscription != nil {
		w.Button = subscribeButton(t, next.Subscription, amount, isNothing(next.Order.Amount))
	}
	switch next.Operation {
	case store.Credit:
		return OperationWords{
			Title: texts.Say(t, t.ReceiveTitle, merchant), Choose: t.ReceiveChoose, Card: t.ReceiveCard,
			Button: button(t, t.Receive, t.Continue, amount), Busy: t.AskSending, Before: t.FinishBefore,
		}
	case store.Transfer:
		w.Title, w.Card = texts.Say(t, t.SendTitle, merchant), t.YourCard
		w.Button, w.Busy, w.Before = button(t, t.Send, t.SendOpen, amount), t.AskSending, t.FinishBefore
	default: // a payment
	}
	return w
}

func button(t *Texts, format, otherwise, amount string) string {
	if amount == "" {
		return otherwise
	}
	return strings.TrimSpace(texts.Say(t, format, amount))
}

// isNothing reports whether an amount is zero.
func isNothing(amount string) bool {
	parsed, err := store.ParseAmount(amount)
	return err == nil && parsed.IsZero()
}

// nextStep says what to do after a decline.
func nextStep(t *Texts, next *gateway.NextAction) string {
	for _, method := range form.Choices(next) {
		if next.Kept != nil && method.Code != next.Kept.Method {
			continue
		}
		if method.Kind == methods.KindCard {
			return t.NextCard
		}
	}
	return t.NextOther
}
