package gateway

import (
	"cmp"
	"context"
	"strings"

	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/readonce"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/session"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// MaxAnswers is how often a payer may answer a connector's prompts: twice. After that they are not asked again, and the
// operation ends as the acquirer says.
const MaxAnswers = engine.MaxAnswers

// maxAnswer limits one answer, in characters.
const maxAnswer = 255

// AnswerSession sends the payer's answers to the connector that asked for them, and returns what the payer should see
// then. Answers have the names of NextAction.Prompts. One that is missing, too long or not printable is ErrInvalid with
// its name; others are ignored. A second submission while the first is under way starts nothing. Error: ErrNoSession.
func (gw *Gateway) AnswerSession(ctx context.Context, token string, answers map[string]string) (*NextAction, error) {
	if err := made(gw).gate.Enter(); err != nil {
		return nil, err
	}
	defer gw.gate.Leave()
	ctx = readonce.Begin(ctx) // the call and the next action use one snapshot of the merchant
	p, asked, err := gw.asked(ctx, token)
	if err != nil || asked == nil {
		return gw.nextUnless(ctx, token, err)
	}
	params, err := pick(gw.engine.Prompts(asked), answers)
	if err != nil {
		return nil, err
	}
	if asked.SealedParameters, err = gw.keepAnswers(ctx, asked, answers); err != nil {
		return nil, err
	}
	back, link := methods.Return{Method: methods.Answered, Params: params}, links.Secret(token)
	given := engine.PayerReturn{Back: back, Code: links.Code(asked, link), Page: gw.site.Page(token), Link: link}
	return gw.nextUnless(ctx, token, gw.engine.Answer(ctx, p, asked, given))
}

func (gw *Gateway) nextUnless(ctx context.Context, token string, err error) (*NextAction, error) {
	if err != nil {
		return nil, err
	}
	return gw.NextAction(ctx, token)
}

// asked returns the session's attempt and its charge if the payer is prompted; else nil.
func (gw *Gateway) asked(ctx context.Context, token string) (p *records.Payment, t *records.Transaction, err error) {
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		s, err := session.Load(r, token)
		if err != nil || !s.Running {
			return err
		}
		found, err := records.Payments.Get(r, s.PaymentID)
		if err != nil {
			return err
		}
		if charge := *found.ChargeTransaction(); len(gw.engine.Prompts(&charge)) > 0 {
			p, t = &found, &charge
		}
		return nil
	})
	return p, t, err
}

// pick returns the answers that were asked for, or an error that names every missing or invalid one.
func pick(asks []store.Prompt, answers map[string]string) (map[string][]string, error) {
	params := map[string][]string{}
	var faults []refusal.Fault
	for _, ask := range asks {
		value := answers[ask.Name]
		text := cmp.Or(fields.AtMost(maxAnswer).Check(value), fields.Printable(value))
		if value == "" {
			text = fields.TextBlank
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

// keepAnswers seals the parameters of a transaction with the answers to store, for example a national id.
func (gw *Gateway) keepAnswers(ctx context.Context, t *records.Transaction,
	answers map[string]string) (*store.Sealed, error) {
	plain, err := gw.seals.OpenParameters(ctx, t.MerchantID, t.ID, t.SealedParameters)
	if err != nil {
		return nil, err
	}
	tree, _ := fields.SentParameters(plain)
	if tree == nil {
		tree = map[string]any{}
	}
	for _, ask := range gw.engine.Prompts(t) {
		if ask.Keep {
			fields.PutParameter(tree, strings.Split(ask.Name, "."), answers[ask.Name])
		}
	}
	text, err := fields.Parameters(tree)
	if err != nil || text == nil {
		return nil, err
	}
	return gw.seals.Parameters(ctx, t.MerchantID, t.ID, text)
}
