package gateway

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/session"
	"github.com/tollgatepay/gateway/internal/weburl"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// NextAction returns what the payer of a link should see next. It changes nothing, except that it marks the hash of a
// return link as used before it returns that link for the first time. Error: ErrNoSession.
func (gw *Gateway) NextAction(ctx context.Context, token string) (*NextAction, error) {
	return (&view{gw: made(gw), link: links.Secret(token)}).show(ctx, token)
}

// show reads the session and returns its next action. It reads the profile only if the request has not.
func (v *view) show(ctx context.Context, token string) (*NextAction, error) {
	gw := v.gw
	err := gw.cfg.Store.View(ctx, func(r store.Reader) (err error) {
		if v.s, err = session.Load(r, token); err != nil {
			return err
		}
		if v.set, err = scheduleOf(r, v.s); err != nil {
			return err
		}
		return v.load(r)
	})
	if err != nil {
		return nil, err
	}
	if v.profile == nil {
		if v.profile, err = gw.merchants.For(ctx, v.s.MerchantID, store.Checkout); err != nil {
			return nil, err
		}
	}
	v.s.Parameters, err = gw.seals.OpenParameters(ctx, v.s.MerchantID, v.s.ID, v.s.SealedParameters)
	if err != nil {
		return nil, err
	}
	if v.cards, err = gw.savedCards(ctx, v.s); err != nil {
		return nil, err
	}
	next := v.next()
	if next.Kind == ActionCollect {
		next.VAT = gw.quotes.shownVAT(ctx, v.s)
	}
	if v.hash != "" {
		if err := gw.door.MarkLink(ctx, v.profile, v.p, v.hash); err != nil {
			return nil, err
		}
	}
	return next, nil
}

// view is a session with its newest attempt, from one snapshot.
type view struct {
	gw      *Gateway
	s       *store.Session
	profile *merchant.Profile
	link    []byte               // secret of the session's link
	p       *store.Payment       // nil before the first attempt
	t       *records.Transaction // its charge
	cards   []SavedCard
	set     *records.Schedule // on which a chain would begin, if any
	hash    string            // of the return link, if the next action is one
}

func (v *view) load(r store.Reader) error {
	if v.s.PaymentID == "" {
		return nil
	}
	p, err := records.Payments.Get(r, v.s.PaymentID)
	if err != nil {
		return err
	}
	v.p, v.t = &p.Payment, p.ChargeTransaction()
	return nil
}

func (v *view) next() *NextAction {
	s, mapping := v.s, v.mapping()
	next := &NextAction{
		SessionID: s.ID, Merchant: v.profile.Record().Name, Test: s.Test, Order: s.Order, Language: s.Language,
		Operation: s.Kind, Payee: payeeName(s), Country: s.Payer.Address.Country,
		Default: mapping.Language, ExpiresAt: s.ExpiresAt, Attempt: s.Attempts,
		AttemptsLeft: session.MaxDeclines(mapping) - s.Declines,
		NeedName:     mapping.RequireName && s.Payer.Name == "" && s.Kind != store.Credit,
		Code:         codeNeed(s), NeedPayeeCard: s.Kind == store.Transfer, NeedAmount: amountChosen(s),
		Cards: v.cards, TermsURL: mapping.TermsURL, FormID: s.Extra.FormID,
		CanLeave: s.CancelURL != "", BackURL: wayBack(s),
		Origins: v.framers(), FormOrigins: origins(s.SuccessURL, s.CancelURL, s.ExpiryURL, s.ErrorURL, s.ReturnURL),
		Target: v.target(),
	}
	if s.StatusPage {
		next.ExpiresAt = time.Time{} // nothing is paid by this page
	}
	if v.p != nil && (s.Running || s.State != store.SessionOpen) {
		next.Order = v.p.Order // with the amount that the payer chose
	}
	switch {
	case s.State == store.SessionPaid:
		return v.leave(next, s.SuccessURL, ReturnPaid)
	case s.Running:
		return v.running(next)
	case s.State == store.SessionClosed && (s.StatusPage || s.Declines >= session.MaxDeclines(mapping)):
		return v.leave(next, s.CancelURL, ReturnDeclined)
	case s.State == store.SessionClosed:
		return v.leave(next, s.CancelURL, ReturnCancelled)
	case !v.gw.Now().Before(s.ExpiresAt):
		return v.leave(next, s.ExpiryURL, ReturnExpired)
	}
	if s.Hosted { // its form is the merchant's own
		return v.leave(next, s.CancelURL, ReturnDeclined)
	}
	next.Kind, next.Methods = ActionCollect, v.gw.offers.choices(s, v.profile)
	next.Kept = v.kept()
	next.Subscription = v.gw.offers.subscription(s, v.set, v.profile, next.Methods)
	next.Agreement = agreement(&s.Order, next.Subscription, mapping.TermsURL)
	if v.p != nil {
		next.Declined = callback.CheckoutReason(v.p.Reason)
	}
	return next
}

// wayBack returns where the merchant takes a payer who cannot go on. With Hosted Payment Fields it may be the URL for
// every payer (decision ag).
func wayBack(s *store.Session) string {
	if s.Hosted {
		return cmp.Or(s.ErrorURL, s.CancelURL, s.ReturnURL)
	}
	return cmp.Or(s.ErrorURL, s.CancelURL)
}

// mapping returns the mapping of the payment's protocol, also on the page of a payment without a session.
func (v *view) mapping() *store.Mapping {
	if v.s.StatusPage && v.p != nil {
		return v.profile.Mapping(v.p.Protocol)
	}
	return v.profile.Mapping(store.Checkout)
}

// payeeName returns the name of the receiver of the money, if that is not the merchant.
func payeeName(s *store.Session) string {
	if s.Extra.Payee == nil {
		return ""
	}
	return s.Extra.Payee.Name
}

// codeNeed returns whether the page asks for a security code.
func codeNeed(s *store.Session) CodeNeed {
	switch {
	case s.Kind == store.Credit:
		return CodeNone
	case store.IsMOTO(s.Extra.MOTOType):
		return CodeOptional
	}
	return CodeNeeded
}

// running returns the next action while an attempt has no outcome. In doubt, the payer does not wait, because the doubt
// may last: they go to error_url, or to cancel_url without one (checkout.md).
func (v *view) running(next *NextAction) *NextAction {
	if v.t.Outcome == store.InDoubt {
		return v.leave(next, cmp.Or(v.s.ErrorURL, v.s.CancelURL), ReturnUndefined)
	}
	next.Kind = ActionPoll
	switch asks, again, now := v.gw.engine.Prompts(v.t), v.gw.engine.ReturnsAgain(v.t, v.link), v.gw.Now(); {
	case len(asks) > 0:
		next.Kind, next.Prompts, next.PromptedAgain = ActionPrompt, asks, v.t.AnswerCount > 0
	case v.t.Returning.Live(now), v.t.Answering.Live(now): // the payer is back: the outcome is on its way
	case again != nil:
		next.Kind, next.Redirect = ActionRedirect, again
	case v.t.Returning.Lapsed(now) && !methods.CapabilitiesOf(v.gw.cfg.Connectors[v.t.Connector]).IdempotentByKey:
	case v.t.Display != nil:
		next.Kind, next.Display = ActionDisplay, v.t.Display
	case v.p.Status == store.ThreeDS, v.p.Status == store.Redirected:
		if next.Redirect = v.gw.engine.Next(v.t, v.link, ""); next.Redirect != nil {
			next.Kind = ActionRedirect
		}
	}
	return next
}

// leave sends the payer back to the merchant. The return parameters describe the newest attempt. They are added to
// success_url and cancel_url only, and only after an attempt (SPEC1, Events; checkout.md, "Return to merchant").
func (v *view) leave(next *NextAction, to string, how ReturnStatus) *NextAction {
	if v.s.Hosted { // decision ag: otherwise return_url, also with the parameters
		to = cmp.Or(to, v.s.ReturnURL)
	}
	next.Kind, next.Status, next.URL = ActionReturn, how, to
	if to == "" || v.p == nil || v.s.StatusPage || how == ReturnExpired || how == ReturnUndefined && to == v.s.ErrorURL {
		return next
	}
	next.URL = withParams(to, v.returnParams())
	return next
}

func (v *view) returnParams() [][2]string {
	mapping := v.profile.Mapping(v.p.Protocol)
	v.hash = callback.CheckoutHash(v.p, mapping, v.profile.Record().Password)
	params := [][2]string{{"payment_id", v.p.ID}, {"trans_id", v.t.ID}, {"order_id", v.p.Order.Number}, {"hash", v.hash}}
	for _, name := range mapping.ReturnExtras {
		if value := v.returnExtra(name); value != "" {
			params = append(params, [2]string{name, value})
		}
	}
	return params
}

// returnExtra returns the value of one of Return additional parameters (store.ReturnExtraNames).
func (v *view) returnExtra(name string) string {
	switch name {
	case "payment_method":
		return v.p.Method
	case "order_status":
		return v.p.Status.Checkout()
	case "amount":
		return v.p.Order.Amount
	case "currency":
		return v.p.Order.Currency
	}
	if v.p.Card == nil {
		return ""
	}
	switch name {
	case "brand":
		return v.p.Card.Brand
	case "card":
		return v.p.Card.Mask
	}
	return ""
}

// framers returns the origins that may frame the page: those that the merchant has registered. Without any, url_target
// _parent or _top means that the page is in a frame of one of the session's own sites (decision bl). The page of a
// payment without a session has no url_target.
func (v *view) framers() []string {
	framed := func(target string) bool { return target == "_parent" || target == "_top" }
	switch {
	case len(v.profile.Record().Origins) > 0:
		return asciiOrigins(v.profile.Record().Origins)
	case !v.s.StatusPage && (framed(v.s.URLTarget) || framed(v.target())):
		return origins(v.s.SuccessURL, v.s.CancelURL, v.s.ExpiryURL, v.s.ErrorURL, v.s.ReturnURL)
	}
	return nil
}

// target returns where the payer's browser opens the merchant's page. Override Link Target of a MID wins over the
// request (SPEC1, url_target).
func (v *view) target() string {
	if v.p != nil {
		if own := v.profile.MID(v.p.MIDID).LinkTarget; own != "" {
			return own
		}
	}
	return v.s.URLTarget
}

// withParams adds parameters to a URL that was checked when it came in. It keeps the URL's own query, except parameters
// of the same names.
func withParams(text string, params [][2]string) string {
	u, err := url.Parse(weburl.ASCII(text))
	if err != nil {
		return ""
	}
	var query []string
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		ours := slices.ContainsFunc(params, func(p [2]string) bool { return p[0] == name })
		if pair != "" && !ours {
			query = append(query, pair)
		}
	}
	for _, p := range params {
		query = append(query, p[0]+"="+url.QueryEscape(p[1]))
	}
	u.RawQuery = strings.Join(query, "&")
	return u.String()
}

// origins returns the scheme and host of each URL that is not empty, once.
func origins(urls ...string) (list []string) {
	for _, text := range urls {
		u, err := url.Parse(weburl.ASCII(text))
		if text == "" || err != nil {
			continue
		}
		if origin := u.Scheme + "://" + u.Host; !slices.Contains(list, origin) {
			list = append(list, origin)
		}
	}
	return list
}

// asciiOrigins returns origins as browsers write them.
func asciiOrigins(list []string) []string {
	plain := make([]string, len(list))
	for i, origin := range list {
		plain[i] = weburl.ASCII(origin)
	}
	return plain
}

// savedCards returns the cards of a session's tokens. A token that is no longer valid gives an empty card.
func (gw *Gateway) savedCards(ctx context.Context, s *store.Session) (cards []SavedCard, err error) {
	for _, token := range s.Extra.CardTokens {
		record, err := gw.cards.Find(ctx, records.Owner{MerchantID: s.MerchantID, Test: s.Test}, token)
		if err != nil && refusal.AsError(err).Is(refusal.ErrInternal) {
			return nil, err
		}
		cards = append(cards, SavedCard{record.Card.Mask, record.Card.Expiry.String(), record.Card.Brand})
	}
	return cards, nil
}
