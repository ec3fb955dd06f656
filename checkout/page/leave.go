package page

import (
	"html/template"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/policy"
	"github.com/tollgatepay/gateway/checkout/page/texts"
)

// target returns one of the four values of a link's target.
func target(name string) string {
	switch name {
	case "_parent", "_top", "_blank":
		return name
	}
	return "_self"
}

// wayBack returns the link to the merchant's own page; nil without one.
func (v *View) wayBack(next *gateway.NextAction) *LeaveView {
	u, ok := policy.WebURL(next.BackURL)
	if !ok {
		return nil
	}
	return &LeaveView{
		URL: template.URL(policy.ASCII(u.String())), Target: target(next.Target),
		Continue: texts.Say(v.T, v.T.LeaveTitle, v.Merchant),
	}
}
