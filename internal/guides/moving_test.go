package guides_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewayhttp"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/s2sclient"
	"github.com/tollgatepay/gateway/store"
)

// platform is a gateway that plays the platform, with the options that the guide's merchant has there.
func platform(t *testing.T, change func(*store.Mapping)) *httptest.Server {
	t.Helper()
	kit := gatewaytest.New(t)
	require.NoError(t, kit.SaveMerchant(t.Context(), store.Merchant{ID: gatewaytest.MerchantID, Name: "Larkfield",
		Key: gatewaytest.MerchantKey, TestKey: gatewaytest.TestKey, Password: store.NewSecret(password)}))
	require.NoError(t, kit.SaveMID(t.Context(), store.MID{ID: "try", MerchantID: gatewaytest.MerchantID,
		Connector: "vcard", Test: true}))
	for _, m := range []store.Mapping{
		{Protocol: store.Checkout, SHA256: true},
		{Protocol: store.S2SCard, SHA256: true, ShortAmounts: true, Required: []string{"payer_zip"}},
	} {
		m.MerchantID = gatewaytest.MerchantID
		change(&m)
		require.NoError(t, kit.SaveMapping(t.Context(), m))
	}
	all, err := gatewayhttp.New(kit.Gateway, gatewayhttp.Options{})
	require.NoError(t, err)
	server := httptest.NewServer(all)
	t.Cleanup(server.Close)
	return server
}

// What the guide about moving tells: beside the platform, a gateway with what was carried over answers alike.
func TestMoving(t *testing.T) {
	t.Parallel()
	here := newHost(t, build(t, append(blocks(t, production, "go")[:3], blocks(t, moving, "go")...)...)).start()
	defer here.end()
	for _, row := range []struct {
		name     string
		key      string
		order    s2sclient.Fields
		platform func(*store.Mapping) // what is switched on there and was not carried over
		same     bool
	}{
		{"paid, by the test key", gatewaytest.TestKey, sale("ORDER-1", "10.00"), asIs, true},
		{"paid", gatewaytest.MerchantKey, sale("ORDER-1", "10.00"), asIs, true},
		{"a short amount", gatewaytest.MerchantKey, sale("ORDER-2", "10"), asIs, true},
		{"a required field is left out", gatewaytest.MerchantKey, sale("ORDER-3", "10.00").With("payer_zip", ""), asIs, true},
		{"declined", gatewaytest.MerchantKey, s2sclient.Sale("ORDER-4", "10.00", "USD", s2sclient.TestCard("02", "2038")),
			asIs, true},
		{"with a card token", gatewaytest.MerchantKey, sale("ORDER-5", "10.00").With("req_token", "Y"), asIs, true},
		{"other hashes", gatewaytest.MerchantKey, sale("ORDER-6", "10.00"), func(m *store.Mapping) { m.SHA256 = false },
			false},
		{"other amounts", gatewaytest.MerchantKey, sale("ORDER-7", "10"), func(m *store.Mapping) { m.ShortAmounts = false },
			false},
		{"other fields", gatewaytest.MerchantKey, sale("ORDER-8", "10.00").With("payer_zip", ""),
			func(m *store.Mapping) { m.Required = nil }, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			form := url.Values{}
			for name, value := range shopAt("http://"+here.site, row.key).Sign(row.order) {
				form.Set(name, value)
			}
			require.NoError(t, os.WriteFile(filepath.Join(here.folder, "order.txt"), []byte(form.Encode()), 0o600))
			out, err := here.try(blocks(t, moving, "sh")[0], "PLATFORM="+platform(t, row.platform).URL, "HERE=http://"+here.site)
			if row.same {
				require.NoError(t, err, out)
				require.Equal(t, "the same", out)
				return
			}
			require.Error(t, err, out)
			require.Contains(t, out, "\n> ")
		})
	}
}

func asIs(*store.Mapping) {} // everything was carried over

// Neither of the two knows the other's payments, sessions and card tokens, and neither does anything about them.
func TestSideBySide(t *testing.T) {
	t.Parallel()
	here := newHost(t, build(t, append(blocks(t, production, "go")[:3], blocks(t, moving, "go")...)...)).start()
	defer here.end()
	there := platform(t, asIs)
	shop := here.shop
	at := func(base string) { shop.URL = base + "/post" }
	for _, row := range []struct{ name, made, other string }{
		{"made there", there.URL, "http://" + here.site},
		{"made here", "http://" + here.site, there.URL},
	} {
		t.Run(row.name, func(t *testing.T) {
			order := strings.ReplaceAll(row.name, " ", "-")
			at(row.made)
			told, answer := do(t, shop, sale(order, "10.00").With("req_token", "Y"))
			require.Equal(t, "SUCCESS SETTLED", told)
			token, id := answer.Body.Text("card_token"), answer.TransID()
			at(row.other)
			for _, ask := range []s2sclient.Fields{
				s2sclient.StatusByOrder(order), s2sclient.FollowUp("GET_TRANS_STATUS", id),
				s2sclient.FollowUp("CREDITVOID", id).With("amount", "10.00"), s2sclient.FollowUp("VOID", id),
				s2sclient.SaleByToken(order+"-2", "10.00", "USD", token),
			} {
				told, answer := do(t, shop, ask)
				require.Equal(t, "ERROR", told, "%s", answer.Raw)
			}
			at(row.made)
			told, _ = do(t, shop, s2sclient.FollowUp("GET_TRANS_STATUS", id))
			require.Equal(t, "SUCCESS SETTLED", told)
			told, _ = do(t, shop, s2sclient.FollowUp("CREDITVOID", id).With("amount", "10.00"))
			require.Equal(t, "ACCEPTED", told)

			link, err := url.Parse(openSession(t, shop.HTTP, row.made, order+"-3"))
			require.NoError(t, err)
			_, page := get(t, row.made+link.Path)
			require.Contains(t, page, `name="card_number"`)
			status, page := get(t, row.other+link.Path)
			require.Equal(t, http.StatusNotFound, status)
			require.NotContains(t, page, `name="card_number"`)
		})
	}
}
