package checkout

import (
	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/contract"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/jsonbody"
	"github.com/tollgatepay/gateway/internal/sessionjson"
)

// Contract describes the calls of the protocol, for package openapi and the reference.
func Contract() (calls []contract.Call) {
	for _, e := range endpoints {
		c := described[e.path]()
		c.Protocol, c.Method, c.Paths, c.Limit = contract.Checkout, "POST", []string{e.path}, e.limit
		calls = append(calls, c)
	}
	return calls
}

// described are the endpoints by their paths; a test holds it against their table.
var described = map[string]func() contract.Call{
	"/api/v1/session": describeSession, "/api/v1/payment/recurring": describeRecurring,
	"/api/v1/payment/card/credit": describeCredit, "/api/v1/payment/status": describeStatus,
	"/api/v1/payment/capture": describeCapture, "/api/v1/payment/refund": describeRefund,
	"/api/v1/payment/void": describeVoid, "/api/v1/payment/retry": describeRetry,
}

func describeSession() contract.Call {
	return contract.Call{Name: "session", Says: "Opens a session; the payer pays on the page of redirect_url.",
		Notes: "A session makes no payment: that begins when the payer submits the page. Its callbacks go to the " +
			"merchant's notification URL.\n" + fields.SaysProof,
		Fields:  sessionjson.CheckoutFields(gateway.SessionRows()),
		Answers: told[sessionAnswer](), Formulas: []signature.Formula{signature.CheckoutSession}}
}

func describeRecurring() contract.Call {
	return contract.Call{Name: "recurring", Says: "Charges a chain again, without the payer.",
		Notes: "The same signed request is refused as a duplicate for 24 hours, and makes another payment afterwards.",
		Fields: jsonbody.Body[recurringBody](append(recurringFields.Rows(),
			sessionjson.Renamed(gateway.SessionRows(), replaced)...)), Answers: told[recurringAnswer](),
		Formulas: []signature.Formula{signature.CheckoutRecurring}}
}

func describeCredit() contract.Call {
	return contract.Call{Name: "credit", Says: "Pays out to a card. A callback tells the outcome.",
		Notes: "The same signed request is paid once, however much later it comes again, unless it was declined.",
		Fields: jsonbody.Body[creditBody](append(append(creditFields.Rows(), payeeNames...),
			sessionjson.Renamed(gateway.SessionRows(), paidTo)...)), Answers: told[acceptedAnswer](),
		Formulas: []signature.Formula{signature.CheckoutCredit}}
}

// replaced are the fields of a session that a later payment of its chain may have too, in place of the first one's, and
// paidTo those that a payout to a card has, by their names there. The gateway checks them by the session's rows.
var (
	replaced = map[string]string{"customer.name": "customer.name", "customer.email": "customer.email",
		"custom_data": "custom_data"}
	paidTo = map[string]string{"payee.email": "payee_email", "customer.ip": "payee_ip", "custom_data": "custom_data"}
)

// payeeNames are the parts of a payee's name.
var payeeNames = []contract.Row{
	{Path: "payee_first_name", Requirement: contract.Optional, Forms: []contract.Form{fields.LatinForm(1, fields.MaxNamePart)}},
	{Path: "payee_last_name", Requirement: contract.Optional, Forms: []contract.Form{fields.LatinForm(1, fields.MaxNamePart)}},
}

func describeStatus() contract.Call {
	answers := told[paymentAnswer]()
	answers[0].Open = true
	return contract.Call{Name: "status", Says: "Tells how a payment stands, or the newest payments of an order.",
		Notes: "`payment_id` is that of a callback, or of a status by `order_id`, which is the order.number of the " +
			"session. Until the payer has submitted the page there is no payment: `Order does not exist.` does not mean " +
			"that the session is lost. Of several payments of an order the newest is told; `size` asks for more. " +
			"`shedule_id` is `schedule_id` again, as the platform's documents misspell it.",
		Fields: jsonbody.Body[statusBody](statusFields.Rows()), Answers: answers, List: true,
		Formulas: []signature.Formula{signature.CheckoutPayment, signature.CheckoutOrder}}
}

func describeCapture() contract.Call {
	return followUpCall("capture", "Captures an authorized payment, or a part of it.", captureFields,
		told[captureAnswer](), signature.CheckoutAmount)
}

func describeRefund() contract.Call {
	c := followUpCall("refund", "Refunds a payment or a part of it, releases an authorization, or reverses a debit. A "+
		"callback tells the outcome.", refundFields, told[refundAnswer](), signature.CheckoutAmount)
	c.Notes = fields.SaysRefundAgain + "wait for the callback of the refund before you send it again: each refund that " +
		"was made has one."
	return c
}

func describeVoid() contract.Call {
	return followUpCall("void", "Undoes a settled payment on its financial day.", otherFields,
		told[voidAnswer](), signature.CheckoutPayment)
}

func describeRetry() contract.Call {
	return followUpCall("retry", "Tries a declined later payment of a chain again. A callback tells the outcome.",
		otherFields, told[acceptedAnswer](), signature.CheckoutPayment)
}

func followUpCall(name, says string, table *followUpTable, answers []contract.Answer,
	formula signature.Formula) contract.Call {
	list := jsonbody.Body[followUpBody](table.Rows())
	return contract.Call{Name: name, Says: says, Fields: list[:len(table.Fields)], Answers: answers,
		Formulas: []signature.Formula{formula}}
}

func told[T any]() []contract.Answer {
	list := jsonbody.Told[T]()
	for i, f := range list {
		if f.Path == "customer.name" || f.Path == "customer.email" {
			list[i].Requirement = contract.Optional
		}
	}
	return []contract.Answer{{Fields: list}}
}
