package session_test

import (
	"encoding/base64"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// From the issuer or a bank the payer comes to our page and from there to the merchant.
func TestStandInAfterARedirect(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		card   methods.Card
		gives  bool // the payer gives up
		status store.Status
		left   gateway.ReturnStatus
		away   store.Status
	}{
		{"3-D Secure passes", gatewaytest.ThreeDSPasses, false, store.Settled, gateway.ReturnPaid, store.ThreeDS},
		{"3-D Secure fails", gatewaytest.ThreeDSFails, false, store.Declined, gateway.ReturnDeclined, store.ThreeDS},
		{"the payer fails at it", gatewaytest.ThreeDSPasses, true, store.Declined, gateway.ReturnDeclined, store.ThreeDS},
		{"bank passes", gatewaytest.BankPasses, false, store.Settled, gateway.ReturnPaid, store.Redirected},
		{"bank fails", gatewaytest.BankFails, false, store.Declined, gateway.ReturnDeclined, store.Redirected},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := kerneltest.Audited(t)
			r := kerneltest.Charged(t, kit, "ORD-1", c.card, kerneltest.ViaCard, kerneltest.GoesBack)
			require.Equal(t, c.away, r.Payment.Status)
			require.True(t, strings.HasPrefix(r.Redirect.URL, gatewaytest.PublicURL+"/vcard/"), "the acquirer's page")
			back := kit.ComeBack
			if c.gives {
				back = kit.GiveUp
			}
			token := kerneltest.PageToken(t, back(t, r.Redirect))
			kerneltest.RequireLeaves(t, kerneltest.NextActionOf(t, kit, token), c.left)
			require.Equal(t, c.status, kit.Payment(t, "ORD-1").Status)
			next, err := kit.PaySession(t.Context(), token, gateway.Submission{Attempt: 1, Card: gatewaytest.Settles})
			require.NoError(t, err)
			kerneltest.RequireLeaves(t, next, c.left)
			require.Len(t, kit.Charges(t), 1, "the page of one payment makes no other")
			kit.Clock.Set(kit.Clock.Now().Add(23 * time.Hour))
			kerneltest.RequireLeaves(t, kerneltest.NextActionOf(t, kit, token), c.left)
			for _, wrong := range []string{token[:len(token)-4], "x" + token[1:], ""} {
				if wrong != token {
					_, err = kit.NextAction(t.Context(), wrong)
					require.ErrorIs(t, err, gateway.ErrNoSession)
				}
			}
			forms := kerneltest.FormsOf(t, kit, "ORD-1")
			require.Len(t, forms, 2)
			require.Equal(t, "REDIRECT", forms[0].Get("result"))
			require.Equal(t, r.Redirect.URL, forms[0].Get("redirect_url"))
		})
	}
}

// Without a redirect no page is stored.
func TestNoStandInWithoutNeed(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaCard, kerneltest.GoesBack)
	kerneltest.Charged(t, kit, "ORD-2", gatewaytest.Declines, kerneltest.ViaCard, kerneltest.GoesBack)
	kerneltest.Charged(t, kit, "ORD-3", methods.Card{}, kerneltest.ViaAPM, kerneltest.GoesBack)
	kit.Vcard.Next(vcard.UnknownAfter())
	kerneltest.Charged(t, kit, "ORD-4", gatewaytest.Settles, kerneltest.ViaCard, kerneltest.GoesBack)
	kit.Advance(t, time.Hour)
	require.Empty(t, kerneltest.ReadBooks(t, kit).Sessions)
}

// A QR code is displayed on our page, and is sent as a picture (SPEC2, ips).
func TestStandInShowsAQRCode(t *testing.T) {
	t.Parallel()
	for status, left := range map[string]gateway.ReturnStatus{
		vcard.BankACSC: gateway.ReturnPaid, vcard.BankRJCT: gateway.ReturnDeclined,
	} {
		t.Run(status, func(t *testing.T) {
			t.Parallel()
			kit := kerneltest.Audited(t)
			r := kerneltest.Charged(t, kit, "ORD-1", methods.Card{}, kerneltest.ViaIPS, kerneltest.GoesBack)
			require.Equal(t, store.Redirected, r.Payment.Status)
			require.Len(t, r.Redirect.Params, 1)
			require.Equal(t, "qr_code", r.Redirect.Params[0].Name)
			picture, err := base64.StdEncoding.DecodeString(r.Redirect.Params[0].Value)
			require.NoError(t, err)
			require.True(t, strings.HasPrefix(string(picture), "\x89PNG"))
			token := kerneltest.PageToken(t, r.Redirect.URL)
			next := kerneltest.NextActionOf(t, kit, token)
			require.Equal(t, gateway.ActionDisplay, next.Kind)
			require.Contains(t, next.Display.QR, "ORD-1")
			require.Equal(t, "EUR", next.Order.Currency)
			forms := kerneltest.FormsOf(t, kit, "ORD-1")
			require.Len(t, forms, 1)
			require.Equal(t, r.Redirect.URL, forms[0].Get("redirect_url"))
			kerneltest.NotifyByBank(kit, t, status)
			kerneltest.RequireLeaves(t, kerneltest.NextActionOf(t, kit, token), left)
			require.Len(t, kerneltest.FormsOf(t, kit, "ORD-1"), 2)
		})
	}
}

func TestStandInAsks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, code string
		status     store.Status
		left       gateway.ReturnStatus
	}{
		{"right", "123456", store.Settled, gateway.ReturnPaid}, {"wrong", "000000", store.Declined, gateway.ReturnDeclined},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t, kerneltest.AsksForCode(kerneltest.Approves).Option)
			r := kerneltest.Charged(t, kit, "ORD-1", methods.Card{}, kerneltest.ViaAPM, kerneltest.GoesBack)
			require.Equal(t, store.Redirected, r.Payment.Status)
			require.Empty(t, r.Redirect.Params)
			token := kerneltest.PageToken(t, r.Redirect.URL)
			require.Equal(t, gateway.ActionPrompt, kerneltest.NextActionOf(t, kit, token).Kind)
			_, err := kit.AnswerSession(t.Context(), token, nil)
			require.ErrorIs(t, err, gateway.ErrInvalid)
			next, err := kit.AnswerSession(t.Context(), token, map[string]string{"otp": c.code})
			require.NoError(t, err)
			kerneltest.RequireLeaves(t, next, c.left)
			require.Equal(t, c.status, kit.Payment(t, "ORD-1").Status)
			require.Len(t, kerneltest.FormsOf(t, kit, "ORD-1"), 2)
		})
	}
}

// Payment details to display bring the payer of an S2S payment to our page as well.
func TestStandInShowsDetails(t *testing.T) {
	t.Parallel()
	p := &kerneltest.ScriptedConnector{OnPerform: func(op methods.Operation) methods.Answer {
		return methods.Displayed(op, methods.Display{Details: []methods.Detail{{Label: "Account", Value: "ES91"}}},
			[]byte("shown"))
	}, OnFind: kerneltest.Approves}
	kit := gatewaytest.New(t, p.Option)
	r := kerneltest.Charged(t, kit, "ORD-1", methods.Card{}, kerneltest.ViaAPM, kerneltest.GoesBack)
	require.Equal(t, store.Redirected, r.Payment.Status)
	token := kerneltest.PageToken(t, r.Redirect.URL)
	require.Equal(t, []methods.Detail{{Label: "Account", Value: "ES91"}},
		kerneltest.NextActionOf(t, kit, token).Display.Details)
	kit.Advance(t, time.Hour)
	kerneltest.RequireLeaves(t, kerneltest.NextActionOf(t, kit, token), gateway.ReturnPaid)
}

// From the issuer to a bank, or from a prompt to a bank: the page redirects the payer again.
func TestStandInFollowsASecondRedirect(t *testing.T) {
	t.Parallel()
	twice := &kerneltest.ScriptedConnector{OnPerform: kerneltest.ToIssuer}
	twice.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer {
		if string(op.Continuation) == "issuer" {
			return kerneltest.ToBank(op)
		}
		return kerneltest.Approves(op)
	}
	for name, p := range map[string]*kerneltest.ScriptedConnector{"issuer, then bank": twice,
		"question, then bank": kerneltest.AsksForCode(kerneltest.ToBank)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t, p.Option)
			change := kerneltest.ViaCard
			if p != twice {
				change = kerneltest.ViaAPM
			}
			r := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, change, kerneltest.GoesBack)
			var token string
			if p == twice {
				token = kerneltest.PageToken(t, p.ComeBack(t, kit))
			} else {
				token = kerneltest.PageToken(t, r.Redirect.URL)
				_, err := kit.AnswerSession(t.Context(), token, map[string]string{"otp": "123456"})
				require.NoError(t, err)
			}
			for range 2 { // and again on reload
				next := kerneltest.NextActionOf(t, kit, token)
				require.Equal(t, gateway.ActionRedirect, next.Kind)
				require.Equal(t, "https://bank.example/go", next.Redirect.URL)
			}
			require.Equal(t, token, kerneltest.PageToken(t, p.ComeBack(t, kit)))
			kerneltest.RequireLeaves(t, kerneltest.NextActionOf(t, kit, token), gateway.ReturnPaid)
			p.ComeBack(t, kit)
			require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
			require.Len(t, p.Sent, 1)
		})
	}
}

// Without a return URL of the merchant the page shows the outcome; the target is _top unless the merchant sets
// another.
func TestStandInWithoutAReturnURL(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	token := kerneltest.PageToken(t,
		kit.ComeBack(t, kerneltest.Charged(t, kit, "ORD-1", gatewaytest.BankFails, kerneltest.ViaCard).Redirect))
	next := kerneltest.NextActionOf(t, kit, token)
	require.Equal(t, []any{gateway.ActionReturn, "", gateway.ReturnDeclined}, []any{next.Kind, next.URL, next.Status})
	token = kerneltest.PageToken(t,
		kit.ComeBack(t, kerneltest.Charged(t, kit, "ORD-2", gatewaytest.BankPasses, kerneltest.ViaCard,
			func(r *gateway.ChargeRequest) {
				r.ReturnURL = kerneltest.BackURL
			}).Redirect))
	require.Equal(t, "_top", kerneltest.NextActionOf(t, kit, token).Target)
}

// A redirect carries secrets: the return link's to the acquirer, the page's to the merchant. They appear in the
// answer and in what is delivered, and are sealed everywhere else.
func TestStandInLinksStaySealed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		card   methods.Card
		change func(*gateway.ChargeRequest)
	}{
		{"3-D Secure", gatewaytest.ThreeDSPasses, kerneltest.ViaCard}, {"bank", gatewaytest.BankPasses,
			kerneltest.ViaCard}, {"QR code", methods.Card{}, kerneltest.ViaIPS},
		{"Checkout", gatewaytest.ThreeDSPasses, func(*gateway.ChargeRequest) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := &kerneltest.Haystack{Bits: map[string][]byte{}}
			kit := gatewaytest.On(t, kerneltest.NotedStore{Store: memory.New(), Hay: h}, func(cfg *gateway.Config) {
				cfg.Log = slog.New(slog.NewJSONHandler(h, &slog.HandlerOptions{Level: slog.LevelDebug - 4}))
				cfg.Observers = append(cfg.Observers, h)
			})
			r := kerneltest.Charged(t, kit, "ORD-1", c.card, c.change, kerneltest.GoesBack)
			h.Add("answer", fmt.Appendf(nil, "%+v", r.Redirect))
			stored := kerneltest.ReadBooks(t, kit).Callbacks
			require.Len(t, stored, 1)
			if r.Payment.Protocol != store.Checkout {
				require.Empty(t, stored[0].Body)
				require.NotNil(t, stored[0].SealedBody)
			}
			page := r.Redirect.URL
			secrets := []string{}
			if c.name != "QR code" {
				back := returnLink(t, r.Redirect)
				secrets = append(secrets, back)
				kit.Work(t)
				page = kit.ComeBack(t, r.Redirect)
			}
			secrets = append(secrets, kerneltest.PageToken(t, page))
			kit.Advance(t, 72*time.Hour)
			kerneltest.Gather(t, kit, h)
			for _, link := range secrets {
				raw, err := base64.RawURLEncoding.DecodeString(link)
				require.NoError(t, err)
				for _, secret := range []string{link, string(raw[:32])} {
					for _, where := range h.Find(secret) {
						require.True(t, slices.Contains([]string{"answer", "callbacks"}, where), where)
					}
				}
			}
			if r.Payment.Protocol != store.Checkout {
				require.Equal(t, r.Redirect.URL, kerneltest.FormsOf(t, kit, "ORD-1")[0].Get("redirect_url"),
					"in plain to the merchant")
			}
		})
	}
}

// returnLink is the token of the return link that a payer brings to the acquirer.
func returnLink(t testing.TB, next *store.Redirect) string {
	t.Helper()
	text := next.URL
	for _, p := range next.Params {
		text += "&" + p.Name + "=" + url.QueryEscape(p.Value)
	}
	plain, err := url.QueryUnescape(text)
	require.NoError(t, err)
	_, token, ok := strings.Cut(plain, "/return/")
	require.True(t, ok, text)
	token, _, _ = strings.Cut(token, "&")
	return token
}

// A refused redirect callback stays sealed, and is sent again in plain.
func TestSealedCallbackIsDeliveredAgain(t *testing.T) {
	t.Parallel()
	by := &kerneltest.Fault{Port: "notifier", Mode: "refused", N: 1, Armed: true}
	kit := gatewaytest.New(t, func(c *gateway.Config) {
		c.Notifier = kerneltest.FaultyNotifier{Notifier: c.Notifier, By: by}
	})
	r := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.ThreeDSPasses, kerneltest.ViaCard)
	kit.Work(t)
	require.Empty(t, kit.Inbox.All())
	stored := kerneltest.ReadBooks(t, kit).Callbacks
	require.Empty(t, stored[0].Body)
	kit.Twin(t).Advance(t, time.Hour)
	require.Equal(t, r.Redirect.URL, kerneltest.FormsOf(t, kit, "ORD-1")[0].Get("redirect_url"))
}
