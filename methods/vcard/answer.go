package vcard

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"net/url"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// answer reports the state of an entry. Amount and currency are the ledger's own, so that for another operation
// the answer does not repeat them.
func (c *Connector) answer(op methods.Operation, e Entry) methods.Answer {
	var a methods.Answer
	switch e.State {
	case StateApproved:
		a = methods.Approved(op, e.Reference)
	case StateDeclined:
		a = methods.Declined(op, e.Reason)
		a.Soft = e.Soft
	case StateAway:
		a = methods.Redirected(op, c.page(op, e), []byte(e.Reference))
	case StatePending:
		a = methods.Pending(op, e.continuation())
	case StateShown:
		a = shown(op, e, c.payURL(e), c.now())
	case StateAsked:
		a = methods.Prompted(op, []methods.Prompt{askOf(e.Asking[0])}, e.continuation())
	default:
		a = methods.Unknown(op, "no answer came")
	}
	a.Amount, a.Currency, a.Key = e.Amount, e.Currency, e.Key
	a.Reference = e.Reference
	a.Facts = facts(op, e)
	return a
}

// found is answer for Find: a payer who is on a page, or sees something, or was asked something, is pending there,
// because Perform has reported it. Windows are short, so a payer who has to pay is asked about often.
func (c *Connector) found(op methods.Operation, e Entry) methods.Answer {
	was := e.State
	if was == StateAway || was == StateShown || was == StateAsked {
		e.State = StatePending
	}
	a := c.answer(op, e)
	if was == StateShown {
		a.Again = again(e, c.now())
	}
	return a
}

// page returns where the payer has to go. The return URL is part of the address and is not stored, because it is a
// secret.
func (c *Connector) page(op methods.Operation, e Entry) store.Redirect {
	if e.ThreeDS {
		return store.Redirect{ThreeDS: true, URL: c.public + "/acs", Method: "POST", Params: []store.RedirectParam{
			{Name: "PaReq", Value: c.sign(useACS, e.Reference)},
			{Name: "MD", Value: e.Reference},
			{Name: "TermUrl", Value: op.ReturnURL},
		}}
	}
	query := url.Values{"payment": {e.Reference}, "ticket": {c.sign(useBank, e.Reference)}, "back": {op.ReturnURL}}
	return store.Redirect{URL: c.public + "/bank?" + query.Encode(), Method: "GET"}
}

// facts are computed from the reference, so that they are the same each time. What a payer or a merchant needs
// before the outcome comes with every answer.
func facts(op methods.Operation, e Entry) store.Facts {
	var f store.Facts
	if e.State == StateApproved || e.State == StateDeclined {
		f = finalFacts(op, e)
	}
	if e.Network != "" {
		f.CryptoNetwork = e.Network
		if e.Kind != store.OpCredit { // a payout goes to the payee's address
			f.CryptoAddress = address(e)
		}
	}
	if !e.Commission.IsZero() && e.State != StateDeclined {
		f.Commission, f.TotalAmount = e.Commission.String(), e.Amount.Add(e.Commission).String()
	}
	return f
}

func finalFacts(op methods.Operation, e Entry) store.Facts {
	sum := sha256.Sum256([]byte(e.Reference))
	number := binary.BigEndian.Uint64(sum[:])
	f := store.Facts{
		RRN: fmt.Sprintf("%012d", number%1e12), GatewayID: e.Reference,
		Descriptor: op.MID.Descriptor, IssuerCountry: "US", IssuerBank: "Test Bank",
		ThreeDS: e.threeDSFacts(),
	}
	if e.State == StateApproved {
		f.ApprovalCode = fmt.Sprintf("%06d", number%1e6)
		f.ARN = fmt.Sprintf("7%022d", number)
		f.Credential = e.credential()
	}
	return f
}

// payURL returns the page where a tester plays the payer's app or bank. It has no secret of the gateway.
func (c *Connector) payURL(e Entry) string {
	query := url.Values{"payment": {e.Reference}, "ticket": {c.sign(usePay, e.Reference)}}
	return c.public + "/pay?" + query.Encode()
}
