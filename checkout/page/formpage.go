package page

import (
	"net/http"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/form"
	"github.com/tollgatepay/gateway/checkout/page/internal/policy"
)

// showForm shows the form, with 422 when an input was wrong.
func (p *pages) showForm(
	w http.ResponseWriter, r *http.Request, next *gateway.NextAction, typed form.Entry, faults []form.Mistake,
) {
	view := p.view(r, next, "form")
	view.Form = formView(view, next, r.PathValue("token"), typed, faults, p.gw.Now())
	status := http.StatusOK
	if len(faults) > 0 && r.Method == http.MethodPost {
		status = http.StatusUnprocessableEntity
	}
	allowed := policy.OwnForms(next.FormOrigins, next.Origins)
	allowed.Google = asksGoogle(view.Form.Wallets)
	p.write(w, r, status, pageForm, view, allowed)
}
