package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// MaxAnswers is how often a payer may answer what a connector asks; after that he is not asked again, and
// the operation ends as the acquirer says.
const MaxAnswers = 2

// maxAnswer bounds one answer, in characters.
const maxAnswer = 255

// AnswerSession hands what the payer filled in to the connector that asked for it, and says what he should
// see then. Answers are by the names of Turn.Asks; one that is missing, too long or not printable is ErrInvalid with its
// name, others are ignored. A second submission while the first is under way starts nothing. Error:
// ErrNoSession.
func (gw *Gateway) AnswerSession(ctx context.Context, token string, answers map[string]string) (*Turn, error) {
	if err := gw.enter(); err != nil {
		return nil, err
	}
	defer gw.leave()
	asked, err := gw.asked(ctx, token)
	if err != nil || asked == nil {
		return gw.turnUnless(ctx, token, err)
	}
	params, err := pick(gw.asksOf(asked), answers)
	if err != nil {
		return nil, err
	}
	if asked.SealedParameters, err = gw.keepAnswers(ctx, asked, answers); err != nil {
		return nil, err
	}
	back, link := methods.Return{Method: methods.Answered, Params: params}, links.Secret(token)
	l, err := gw.laterCall(ctx, asked, PayerReturn{Back: back, Code: links.Code(asked, link), Page: gw.site.Page(token), Link: link})
	if err != nil || l == nil {
		return gw.turnUnless(ctx, token, err)
	}
	m, err := l.takeAsks(ctx)
	if err != nil || m == nil {
		return gw.turnUnless(ctx, token, err)
	}
	return gw.turnUnless(ctx, token, l.call(ctx, m))
}

// asksOf is what the payer is asked now. What they answered is asked once more where its outcome was never heard and
// the connector is idempotent by key; nothing is asked that the connector could do nothing with.
func (gw *Gateway) asksOf(t *store.Transaction) []store.Ask {
	if gw.needsGone(t) {
		return nil
	}
	if t.Outcome == store.Waiting && len(t.Asks) == 0 && t.Answering.Lapsed(gw.now()) &&
		capabilities(gw.cfg.Connectors[t.Connector]).IdempotentByKey {
		return t.Answered
	}
	return t.Asks
}

func (gw *Gateway) turnUnless(ctx context.Context, token string, err error) (*Turn, error) {
	if err != nil {
		return nil, err
	}
	return gw.Turn(ctx, token)
}

// asked is the charge of the session's attempt, when the payer is asked something; else nil.
func (gw *Gateway) asked(ctx context.Context, token string) (t *store.Transaction, err error) {
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		s, err := loadSession(r, token)
		if err != nil || !s.Running {
			return err
		}
		p, err := records.Payments.Get(r, s.PaymentID)
		if err != nil {
			return err
		}
		found, err := records.Transactions.Get(r, p.ChargeID())
		if err == nil && len(gw.asksOf(&found)) > 0 {
			t = &found
		}
		return err
	})
	return t, err
}

// pick takes the answers that were asked for, and names those that are missing.
func pick(asks []store.Ask, answers map[string]string) (map[string][]string, error) {
	params := map[string][]string{}
	var faults []refusal.Fault
	for _, ask := range asks {
		value := answers[ask.Name]
		text := cmp.Or(lengthFault(value, 0, maxAnswer), fields.Printable(value))
		if value == "" {
			text = textBlank
		}
		if text != "" {
			faults = append(faults, refusal.Fault{Path: ask.Name, Text: text})
		}
		params[ask.Name] = []string{value}
	}
	if len(faults) > 0 {
		return nil, refusal.ErrInvalid.Fields(faults...)
	}
	return params, nil
}

// keepAnswers seals the parameters of a transaction with those answers that stay, a national id say.
func (gw *Gateway) keepAnswers(ctx context.Context, t *store.Transaction, answers map[string]string) (*store.Sealed, error) {
	plain, err := gw.seals.OpenParameters(ctx, t.MerchantID, t.ID, t.SealedParameters)
	if err != nil {
		return nil, err
	}
	tree, _ := sentParameters(plain)
	if tree == nil {
		tree = map[string]any{}
	}
	for _, ask := range gw.asksOf(t) {
		if ask.Keep {
			put(tree, strings.Split(ask.Name, "."), answers[ask.Name])
		}
	}
	if len(tree) == 0 {
		return nil, nil
	}
	text, err := json.Marshal(tree)
	if err != nil {
		return nil, err
	}
	return gw.seals.Parameters(ctx, t.MerchantID, t.ID, text)
}

// takeAsks marks the call of an answer: it counts the answer and takes what is asked off the transaction, so that
// it is answered once. It answers nil when another browser was first.
func (l *laterCall) takeAsks(ctx context.Context) (*mark, error) {
	gw, asked := l.gw, l.t
	made, err := gw.newMark(answering)
	if err != nil {
		return nil, err
	}
	l.deadline = gw.now().Add(gw.timeout(asked.Connector))
	until := gw.now().Add(gw.markLife(asked.Connector))
	var m *mark
	take := func(tx store.Tx) error {
		m = nil
		t, err := records.Transactions.Get(tx, asked.ID)
		asks := gw.asksOf(&t)
		if err != nil || t.Outcome.Final() || len(asks) == 0 || t.Answers != asked.Answers || !sameCall(t.Answering, asked.Answering) {
			return err
		}
		if len(t.Asks) > 0 {
			t.Answers++
		}
		t.Asks, t.Answered, t.SealedParameters = nil, asks, asked.SealedParameters
		if err := made.put(tx, &t, store.CallMark{Until: until}); err != nil {
			return err
		}
		m, l.t = made, &t
		return records.Transactions.Put(tx, t, t.ID)
	}
	err = gw.create(ctx, gw.marked(asked.ID, made), take)
	return m, err
}

// sameCall reports two marks of one call, or two times none.
func sameCall(a, b *store.CallMark) bool {
	return a == nil && b == nil || a != nil && b != nil && a.ID == b.ID
}
