package s2s

import "strings"

// What a description says of a result.
const (
	meansDone = "it is done, and `status` tells how the payment stands"
	// meansAnswered: a question has no result of its own.
	meansAnswered  = "the question is answered; the outcome of the payment is `status`"
	meansDeclined  = "it was refused, and nothing was done; `decline_reason` tells why"
	meansUndefined = "the outcome is not known yet. Do not send it again: wait for the callback, or ask for the status"
	meansStarted   = "it has begun, and the outcome is still to come. Wait for the callback, or ask for the status"
	meansAddress   = "in crypto: the payer has to send the money to `crypto_address`; `status` is PENDING until " +
		"it is there"
	meansAccepted = "the request is taken. A callback tells the outcome"
	// meansAway goes on with where the payer comes back to.
	meansAway = "the payer has to go to another page; `status` is 3DS or REDIRECT. Send the browser to `redirect_url`: " +
		"where `redirect_method` is POST by a form whose hidden fields are `redirect_params`, where it is GET by a plain " +
		"redirect, with `redirect_params` in its query"
)

// means says what a result of the action says, and what to do then. What an answer has is in the tables of answers.
func (a *action) means(result string) string {
	switch result {
	case success:
		if strings.HasPrefix(a.name, "GET_") {
			return meansAnswered
		}
		if !strings.Contains(a.answers[success], "status") { // a schedule is no payment
			return "it is done"
		}
		return meansDone
	case accepted:
		return meansAccepted
	case declined:
		return meansDeclined
	case redirect:
		return meansAway + a.comesBack()
	case started:
		if strings.Contains(a.answers[started], "crypto_address") {
			return meansAddress
		}
		return meansStarted
	}
	return meansUndefined
}

// comesBack says where a payer who was sent away returns to; a payee is never sent away.
func (a *action) comesBack() string {
	for _, name := range []string{"term_url_3ds", "payer_return_url", "return_url"} {
		if a.has(name) {
			return ". The payer comes back to `" + name + "`. Then wait for the callback, or ask for the status"
		}
	}
	return ""
}
