package engine

import (
	"bytes"
	"context"
	"encoding/base64"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/weburl"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/store"
)

// call is a stored intent without an outcome. link returns the secret of the payer's page; a redirect is sealed
// under it for payers who reload. alone makes that page where no session has one. asked means that the answer is to a
// question or a resend, not to the first call. absent means that the answer is a decline because the acquirer does not
// know the operation; it holds only while there is no other evidence. next makes the attempt that follows a soft
// decline, nil if there is none.
type call struct {
	merchant Merchant
	protocol store.Protocol   // of the payment, if the payer has a page
	p        *records.Payment // as it was when the connector is called; nil where none is
	t        *records.Transaction
	calls    observe.Call // why the connector is called
	link     func() []byte
	alone    func() (*StatusPage, error)
	hosted   string                      // of the session's page, if the caller has to redirect the payer to it
	written  store.Kept[records.Payment] // what step one wrote, for step three to read again
	asked    bool
	absent   bool
	late     bool // the answer came after the deadline
	beside   bool // the question, or the notification, holds no payer up
	next     func(context.Context) (*Operation, error)
	mark     *callMark // of a later call; nil for a first call and for recovery
	reloads  bool      // the answer can be had again when the payer reloads
}

// overtaken reports whether an answer that others did not wait for is older than what is stored: the payer has brought
// something since, or was led on. If they were led on once, the answer of a first call or of a late one may be about
// that same step. Others wait for a call only while its mark is stored. The mark is gone when the process was slow to
// store the answer, or has stored it and does not know.
func (c *call) overtaken(is *records.Transaction, a methods.Answer) bool {
	was := c.t
	first := c.mark == nil && !c.asked // a notification may have led the payer on meanwhile
	switch {
	case !first && !c.late && !c.beside && (c.mark == nil || c.mark.holds(is)):
		return false
	case c.crossed(is), c.beside && (endedSince(was.Returning, is.Returning) || endedSince(was.Answering, is.Answering)):
		return true
	case !c.beside && is.Stage == was.Stage+1:
		return !leadsPayer(a) || !bytes.Equal(is.Continuation, a.Continuation)
	}
	return is.Stage != was.Stage
}

// crossed reports whether the payer has brought something else since the call began.
func (c *call) crossed(is *records.Transaction) bool {
	return otherCall(c.t.Returning, is.Returning) || otherCall(c.t.Answering, is.Answering)
}

// leadsPayer reports whether an answer says where the payer has to go.
func leadsPayer(a methods.Answer) bool {
	return a.Result == methods.ResultRedirect || a.Result == methods.ResultDisplay || a.Result == methods.ResultPrompt
}

// inMemory reports whether the payer's redirect is kept in memory alone.
func (c *call) inMemory() bool { return c.merchant.Mapping(c.protocol).MemoryRedirect }

// cameToNothing reports whether an answer leaves the transaction as it was before the call: what the payer brought was
// not believed, or their answer to a prompt did not reach the acquirer. A return that did not reach it is in doubt,
// because nobody can ask the payer for it again.
func (c *call) cameToNothing(a methods.Answer) bool {
	return a.Result == methods.ResultUnverified || a.Result == methods.ResultNotSent && c.mark.answers(c.t)
}

// redirectOf returns where an answer sends the payer: to the issuer, to a bank, or to our own page, which
// displays or prompts. A QR code is added as a picture, for merchants who display it themselves (SPEC2, ips:
// redirect_params.qr_code).
func (c *call) redirectOf(a methods.Answer, alone *StatusPage) *store.Redirect {
	page := c.hosted
	if alone != nil {
		page = alone.URL
	}
	switch {
	case a.Result == methods.ResultRedirect:
		next := *a.Redirect
		next.URL = weburl.ASCII(next.URL)
		return &next
	case page == "" || a.Result != methods.ResultDisplay && a.Result != methods.ResultPrompt:
		return nil
	}
	if alone == nil {
		return toPage(page, nil)
	}
	return toPage(page, a.Display)
}

// toPage returns the redirect to a page of ours, with the picture of a QR code that the page displays.
func toPage(page string, shown *store.Display) *store.Redirect {
	next := &store.Redirect{URL: page, Method: "GET"}
	if shown != nil && shown.QR != "" {
		if picture, err := methods.QRCode(shown.QR); err == nil {
			next.Params = []store.RedirectParam{{Name: "qr_code", Value: base64.StdEncoding.EncodeToString(picture)}}
		}
	}
	return next
}

// needsStatusPage reports whether the payer needs a page of ours for this answer.
func needsStatusPage(a methods.Answer) bool {
	switch a.Result {
	case methods.ResultRedirect, methods.ResultDisplay, methods.ResultPrompt:
		return true
	default:
		return a.Display != nil
	}
}
