package fields_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

const unicodeSite, plainSite = "https://bücher.example", "https://xn--bcher-kva.example"

// bg: a host in Unicode is taken wherever a URL is, and browsers get its A-labels.
func TestUnicodeHosts(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	r := gatewaytest.Request("ORD-1", "10.00")
	r.SuccessURL, r.CancelURL = unicodeSite+"/ok?ü=ü", unicodeSite+"/no"
	r.ExpiryURL, r.ErrorURL = unicodeSite+"/late", unicodeSite+"/err"
	session, err := kit.Shop().CreateSession(t.Context(), r)
	require.NoError(t, err)
	link := strings.TrimPrefix(session.RedirectURL, gatewaytest.PublicURL+"/auth/")
	next, err := kit.NextAction(t.Context(), link)
	require.NoError(t, err)
	require.Equal(t, []string{plainSite}, next.FormOrigins)
	next = kit.Pay(t, link, gatewaytest.Settles)
	require.Equal(t, gateway.ActionReturn, next.Kind)
	require.True(t, strings.HasPrefix(next.URL, plainSite+"/ok?"), next.URL)

	hosted := kerneltest.HostedRequest("ORD-2")
	hosted.ReturnURL = unicodeSite + "/back"
	made, err := kit.Shop().CreateHosted(t.Context(), hosted)
	require.NoError(t, err)
	origins, err := kit.HostedFields().Origins(t.Context(), made.ID)
	require.NoError(t, err)
	require.Equal(t, []string{plainSite}, origins)
}

// The merchant's own records and the acquirer's pages, too; what is stored and told to the merchant stays as sent.
func TestUnicodeHostsOfRecords(t *testing.T) {
	t.Parallel()
	acquirer := &kerneltest.ScriptedConnector{OnPerform: func(op methods.Operation) methods.Answer {
		return methods.Redirected(op, store.Redirect{URL: unicodeSite + ":8443/acs", Method: "GET"}, nil)
	}}
	kit := gatewaytest.New(t, acquirer.Option)
	require.NoError(t, kit.SaveMerchant(t.Context(), store.Merchant{
		ID: gatewaytest.MerchantID, Key: gatewaytest.MerchantKey, Password: store.NewSecret(gatewaytest.Password),
		Origins: []string{unicodeSite}, NotificationURL: unicodeSite + "/callback",
	}))
	made, err := kit.Shop().CreateHosted(t.Context(), kerneltest.HostedRequest("ORD-1"))
	require.NoError(t, err)
	origins, err := kit.HostedFields().Origins(t.Context(), made.ID)
	require.NoError(t, err)
	require.Equal(t, []string{plainSite}, origins)
	r := kerneltest.Charged(t, kit, "ORD-2", gatewaytest.Settles, func(r *gateway.ChargeRequest) {
		r.Protocol, r.Action, r.ReturnURL, r.CallbackURL = store.S2SCard, "SALE", unicodeSite+"/term", unicodeSite+"/told"
	})
	require.Equal(t, plainSite+":8443/acs", r.Redirect.URL)
	require.Equal(t, unicodeSite+"/told", r.Payment.NotificationURL)
	require.Equal(t, unicodeSite+"/term", r.Payment.ReturnURL)
}
