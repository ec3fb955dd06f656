package page

import (
	"errors"
	"net/http"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/policy"
	"github.com/tollgatepay/gateway/checkout/page/internal/qrcode"
)

// showDisplay shows a code or details. Expired ones are not shown, so that no payer pays by them.
func (p *pages) showDisplay(w http.ResponseWriter, r *http.Request, next *gateway.NextAction) {
	view := p.view(r, next, "show")
	view.Show = showView(view.T, next.Display, r.PathValue("token"), p.gw.Now())
	view.Title, view.Self = view.Show.Message.Title, pageLink(fromForm, r)
	p.write(w, r, http.StatusOK, pageShow, view, policy.Policy{Frames: policy.Origins(next.Origins)})
}

// code serves the picture of the code.
func (p *pages) code(w http.ResponseWriter, r *http.Request) {
	policy.Secure(w.Header())
	next, err := p.next(r)
	if err != nil && !errors.Is(err, gateway.ErrNoSession) {
		p.log.ErrorContext(r.Context(), "page: QR code failed", "error", err)
		plain(w, http.StatusInternalServerError)
		return
	}
	if err != nil || next.Kind != gateway.ActionDisplay || next.Display == nil || expired(next.Display, p.gw.Now()) {
		plain(w, http.StatusNotFound)
		return
	}
	code, ok := qrcode.Of(next.Display.QR)
	if !ok || next.Display.QR == "" {
		plain(w, http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
	_, _ = w.Write(code.PNG())
}
