package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/methods"
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
	params, err := pick(asked.Asks, answers)
	if err != nil {
		return nil, err
	}
	kept, err := gw.keepAnswers(ctx, asked, answers)
	if err != nil {
		return nil, err
	}
	var taken *store.Transaction
	err = gw.update(ctx, func(tx store.Tx) (err error) {
		taken, err = takeAsks(tx, asked, kept)
		return err
	})
	if err != nil || taken == nil {
		return gw.turnUnless(ctx, token, err)
	}
	back := methods.Return{Method: methods.Answered, Params: params}
	return gw.turnUnless(ctx, token, gw.complete(ctx, taken, trip{back: back, page: gw.pageURL(token), link: linkSecret(token)}))
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
		p, err := payments.Get(r, s.PaymentID)
		if err != nil {
			return err
		}
		found, err := transactions.Get(r, p.ChargeID())
		if err == nil && len(found.Asks) > 0 {
			t = &found
		}
		return err
	})
	return t, err
}

// pick takes the answers that were asked for, and names those that are missing.
func pick(asks []store.Ask, answers map[string]string) (map[string][]string, error) {
	params := map[string][]string{}
	var faults []Fault
	for _, ask := range asks {
		value := answers[ask.Name]
		text := cmp.Or(lengthFault(value, 0, maxAnswer), fields.Printable(value))
		if value == "" {
			text = textBlank
		}
		if text != "" {
			faults = append(faults, Fault{ask.Name, text})
		}
		params[ask.Name] = []string{value}
	}
	if len(faults) > 0 {
		return nil, ErrInvalid.Fields(faults...)
	}
	return params, nil
}

// keepAnswers seals the parameters of a transaction with those answers that stay, a national id say.
func (gw *Gateway) keepAnswers(ctx context.Context, t *store.Transaction, answers map[string]string) (*store.Sealed, error) {
	plain, err := gw.openParameters(ctx, t.MerchantID, t.ID, t.SealedParameters)
	if err != nil {
		return nil, err
	}
	tree, _ := sentParameters(plain)
	if tree == nil {
		tree = map[string]any{}
	}
	for _, ask := range t.Asks {
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
	return gw.sealParameters(ctx, t.MerchantID, t.ID, text)
}

// takeAsks counts an answer and takes what is asked off the transaction, so that it is answered once. It
// answers nil when somebody was first.
func takeAsks(tx store.Tx, asked *store.Transaction, parameters *store.Sealed) (*store.Transaction, error) {
	t, err := transactions.Get(tx, asked.ID)
	if err != nil || t.Outcome.Final() || len(t.Asks) == 0 || t.Answers != asked.Answers {
		return nil, err
	}
	t.Asks, t.Answered, t.SealedParameters = nil, t.Asks, parameters
	t.Answers++
	t.Version++
	return &t, transactions.Put(tx, t, t.ID)
}
