package session_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// Decision bl: with url_target _parent or _top the session's own sites may frame the page. If the merchant has
// registered origins, only those may. Override Link Target of the MID counts once it is known.
func TestWhoMayFrameThePage(t *testing.T) {
	t.Parallel()
	own := []string{"https://shop.example", "https://other.example"}
	registered := []string{"https://frames.example"}
	for _, c := range []struct {
		name, target, override string
		registered             []string
		form, left             []string // who may frame the form, and the page after the payment
	}{
		{"no target", "", "", nil, nil, nil},
		{"_self", "_self", "", nil, nil, nil},
		{"_parent", "_parent", "", nil, own, own},
		{"_top", "_top", "", nil, own, own},
		{"_top with registered origins", "_top", "", registered, registered, registered},
		{"registered origins", "", "", registered, registered, registered},
		{"the MID's _top", "", "_top", nil, nil, own},
		{"the MID's _blank", "", "_blank", nil, nil, nil},
		{"_parent, the MID's _self", "_parent", "_self", nil, own, own},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			require.NoError(t, kit.SaveMerchant(t.Context(), store.Merchant{
				ID: gatewaytest.MerchantID, Name: "Test Shop", Key: gatewaytest.MerchantKey,
				Password: store.NewSecret(gatewaytest.Password), Origins: c.registered,
			}))
			require.NoError(t, kit.SaveMID(t.Context(),
				store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard", LinkTarget: c.override}))
			r := gatewaytest.Request("ORD-1", "10.00")
			r.SuccessURL, r.CancelURL = "https://shop.example/ok", "https://other.example/no"
			r.ErrorURL, r.URLTarget = "https://shop.example/oh", c.target
			link := kit.SessionOf(t, r)
			next, err := kit.NextAction(t.Context(), link)
			require.NoError(t, err)
			require.Equal(t, c.form, next.Origins)
			require.Equal(t, c.left, kit.Pay(t, link, gatewaytest.Settles).Origins)
		})
	}
}

// The page of a charge without a session has no url_target, and its return_url allows no frames.
func TestNoSiteFramesThePageOfACharge(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	r := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.ThreeDSPasses,
		func(r *gateway.ChargeRequest) { r.ReturnTarget = "_parent" })
	next, err := kit.NextAction(t.Context(), kerneltest.PageToken(t, kit.ComeBack(t, r.Redirect)))
	require.NoError(t, err)
	require.Equal(t, "_parent", next.Target)
	require.Empty(t, next.Origins)
}
