package gateway

import (
	"encoding/json"
	"strings"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// choose finds the method of a submission among the choices.
func choose(choices []MethodChoice, code string) (MethodChoice, error) {
	for _, choice := range choices {
		if code == "" || choice.Code == code {
			return choice, nil
		}
	}
	return MethodChoice{}, refusal.ErrInvalid.Fields(refusal.Fault{Path: "method", Text: fields.TextChoice})
}

// answered puts what the payer filled in into the parameters of the method.
func answered(s *store.Session, choice MethodChoice, answers map[string]string) (json.RawMessage, error) {
	sent, _ := sentParameters(s.Parameters)
	tree, _ := sent[choice.Code].(map[string]any)
	if tree == nil {
		tree = map[string]any{}
	}
	for _, ask := range choice.Asks {
		if value := answers[ask.Name]; value != "" && len(value) <= 1024 {
			put(tree, strings.Split(ask.Name, "."), value)
		}
	}
	if len(tree) == 0 {
		return nil, nil
	}
	return json.Marshal(tree)
}
