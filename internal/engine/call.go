package engine

import (
	"context"
	"encoding/base64"

	"github.com/tollgatepay/gateway/internal/weburl"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// call is an intent that is committed and has no outcome. link is the secret of the page the payer
// sees, under which a redirect is kept for payers who reload; alone makes that page where no session has it, and
// page is what it made.
// asked says that the answer is to a question or a resend, not to the first and only call; absent that it is a
// decline because the acquirer does not know the operation, which holds only while nothing else is learned of it. next makes
// the attempt that follows a soft decline, nil where none does.
type call struct {
	merchant Merchant
	protocol store.Protocol // of the payment, where the payer has a page
	t        *store.Transaction
	link     []byte
	alone    func() (*StatusPage, error)
	page     *StatusPage
	hosted   string // the address of the session's page, where the caller has to send the payer to it
	written  written
	asked    bool
	absent   bool
	next     func(context.Context) (*Operation, error)
	mark     *callMark // of a later call; nil for the first one, and for those that recovery makes
	reloads  bool      // what it learns can be learned again when the payer reloads
}

// redirectOf is where an answer sends the payer of this call: to the issuer, to a bank, or to our own page,
// which shows and asks. A QR code goes along as a picture, for merchants who show it themselves (SPEC2,
// ips: redirect_params.qr_code).
func (c *call) redirectOf(a methods.Answer) *store.Redirect {
	page := c.hosted
	if c.page != nil {
		page = c.page.URL
	}
	switch {
	case a.Result == methods.ResultRedirect:
		next := *a.Redirect
		next.URL = weburl.ASCII(next.URL)
		return &next
	case page == "" || a.Result != methods.ResultDisplay && a.Result != methods.ResultPrompt:
		return nil
	}
	next := &store.Redirect{URL: page, Method: "GET"}
	if a.Display != nil && a.Display.QR != "" && c.page != nil {
		if picture, err := methods.QRCode(a.Display.QR); err == nil {
			next.Params = []store.RedirectParam{{Name: "qr_code", Value: base64.StdEncoding.EncodeToString(picture)}}
		}
	}
	return next
}

// needsStatusPage reports an answer that needs a page for its payer.
func needsStatusPage(a methods.Answer) bool {
	switch a.Result {
	case methods.ResultRedirect, methods.ResultDisplay, methods.ResultPrompt:
		return true
	}
	return a.Display != nil
}
