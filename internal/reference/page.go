// Package reference writes docs/reference from the tables of the protocols, with requests that were sent to a gateway
// and what it answered.
package reference

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/contract"
	"github.com/tollgatepay/gateway/internal/release"
	"github.com/tollgatepay/gateway/store"
)

// Sample is a request that was sent, and what came of it.
type Sample struct {
	Title     string // what it shows beside the first one of its call; "" for that one
	Command   string // the line that sends it
	Status    int
	Answer    string // JSON
	Formula   signature.Formula
	Steps     []signature.Step // of its hash; nil without one
	Payer     string           // what the payer did then, as PaysOn and TypesInto say it; "" for nothing
	Callbacks []string         // one parameter on each line
}

// Page is the reference of one protocol.
func Page(protocol contract.Protocol, calls []contract.Call, samples map[string][]Sample) string {
	w := &page{}
	w.line("<!-- Written by go generate ./internal/reference. Do not edit. -->\n")
	w.line("# %s\n", protocol)
	w.line("%s\n", wrapped(intros[protocol]))
	if protocol == contract.Hosted {
		w.line("%s\n\n```html\n%s```\n\n%s\n", wrapped(fieldsSay), fieldsPage, wrapped(fieldsAnswer))
	}
	for _, c := range calls {
		w.line("- [%s](#%s): %s", title(c), anchor(c), c.Says)
	}
	for _, c := range calls {
		w.call(c, samples[c.Name])
	}
	return w.text.String()
}

type page struct{ text strings.Builder }

func (w *page) line(format string, values ...any) { fmt.Fprintf(&w.text, format+"\n", values...) }

// wrapped breaks the paragraphs of a text, which are its lines, at 120 columns.
func wrapped(text string) string {
	var paragraphs []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		line, lines := "", []string{}
		for word := range strings.FieldsSeq(paragraph) {
			switch {
			case line == "":
				line = word
			case len(line)+1+len(word) > 120:
				lines, line = append(lines, line), word
			default:
				line += " " + word
			}
		}
		paragraphs = append(paragraphs, strings.Join(append(lines, line), "\n"))
	}
	return strings.Join(paragraphs, "\n\n")
}

func title(c contract.Call) string {
	if c.Form {
		return c.Action
	}
	return c.Method + " " + c.Paths[0]
}

// anchor is how the pages of a repository name a heading.
func anchor(c contract.Call) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '_' || r == '-' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		}
		return -1
	}, strings.ToLower(title(c)))
	return name
}

func (w *page) call(c contract.Call, samples []Sample) {
	w.line("\n## %s\n", title(c))
	w.line("%s\n", c.Says)
	if c.Notes != "" {
		w.line("%s\n", wrapped(c.Notes))
	}
	if c.Form {
		w.line("POST %s. At most %d bytes.", strings.Join(c.Paths, ", "), c.Limit)
	} else {
		w.line("At most %d bytes.", c.Limit)
	}
	if c.Alias != "" {
		w.line("Also called %s.", c.Alias)
	}
	w.line("Since %s.", release.Since(c.Since))
	if c.Token {
		w.line("Needs the header `Token`.")
	}
	if c.Closed {
		w.line("A field that is not listed is refused.")
	}
	w.fields(c)
	for _, s := range samples {
		w.sample(s)
	}
	w.answers(c)
	w.signature(c, samples)
	w.line("\n**Errors**: [those of every call](errors.md)%s", ownErrors(c))
}

func ownErrors(c contract.Call) string {
	if len(c.Errors) == 0 {
		return "."
	}
	text := ", and"
	for i, e := range c.Errors {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprintf(" %d `%s`", e.Code(), e.Message())
	}
	return text + "."
}

func (w *page) fields(c contract.Call) {
	w.line("\n| Field | Type | Length | Required | What it is | Since |\n|---|---|---|---|---|---|")
	for _, f := range c.Fields {
		required := string(f.Requirement)
		switch f.Requirement {
		case contract.Required:
			required = "yes" + part(f.Path, c.Fields)
		case contract.Optional:
			required = "no"
		case contract.Conditional:
			required = f.Condition
		}
		w.line("| `%s` | %s | %s | %s | %s | %s |", f.Path, typeNames[f.Type], length(f), required, words(c, f),
			release.Since(f.Since))
	}
}

// part says that a field in brackets is required with its object, where that may be left out.
func part(path string, list []contract.Field) string {
	whole, _, bracket := strings.Cut(path, "[")
	if bracket && slices.ContainsFunc(list, func(f contract.Field) bool {
		return f.Path == whole && f.Requirement == contract.Optional
	}) {
		return ", if `" + whole + "` is sent"
	}
	return ""
}

var typeNames = map[contract.Type]string{
	contract.Text: "text", contract.Flag: "true, false, Y, N", contract.Boolean: "true, false", contract.Whole: "number",
	contract.Scalar: "text, number, boolean", contract.Object: "object", contract.Texts: "list of texts",
}

func length(f contract.Field) string {
	shortest, longest := 0, 0
	for _, form := range f.Forms {
		shortest = max(shortest, form.Min)
		if form.Max > 0 && (longest == 0 || form.Max < longest) {
			longest = form.Max
		}
	}
	switch {
	case longest == 0:
		return ""
	case shortest == longest:
		return fmt.Sprint(longest)
	}
	return fmt.Sprintf("%d..%d", max(shortest, 1), longest)
}

// words are what a field is, and what it asks beside its length.
func words(c contract.Call, f contract.Field) string {
	var list []string
	if c.Form && f.Path == "action" {
		list = append(list, "`"+c.Action+"`")
	}
	for _, form := range f.Forms {
		switch {
		case len(form.Choices) > 0:
			list = append(list, "one of `"+strings.Join(form.Choices, "`, `")+"`")
		case form.Format == "date":
			list = append(list, "YYYY-MM-DD")
		case form.Format == "email":
			list = append(list, "e-mail address")
		case form.Format == "uri":
			list = append(list, "URL")
		case form.Pattern != "" && form.Words == "":
			list = append(list, "`"+strings.ReplaceAll(form.Pattern, "|", "\\|")+"`")
		}
		if form.Words != "" {
			list = append(list, strings.ReplaceAll(form.Words, "|", "\\|"))
		}
	}
	if f.Null {
		list = append(list, "null removes it")
	}
	return strings.Join(list, "; ")
}

func (w *page) sample(s Sample) {
	if s.Title != "" {
		w.line("\n%s:", s.Title)
	}
	w.line("\n```sh\n%s\n```\n", s.Command)
	w.line("HTTP %d:\n\n```json\n%s\n```", s.Status, s.Answer)
	if s.Payer != "" {
		w.line("\n%s", s.Payer)
	}
	if len(s.Callbacks) > 0 {
		w.line("\n**Callback**, [as all are](callbacks.md):\n\n```\n%s\n```", strings.Join(s.Callbacks, "\n```\n\n```\n"))
	}
}

func (w *page) answers(c contract.Call) {
	w.line("\n**Answers**\n")
	if len(c.Answers) == 1 && c.Answers[0].Result == "" {
		w.line("%s", members(c.Answers[0]))
		return
	}
	w.line("| Result | Means | Members |\n|---|---|---|")
	for _, a := range c.Answers {
		w.line("| %s | %s | %s |", a.Result, a.Means, members(a))
	}
}

// members are those of an answer: first what it always has.
func members(a contract.Answer) string {
	var always, maybe []string
	for _, f := range a.Fields {
		if f.Requirement == contract.Required {
			always = append(always, "`"+f.Path+"`")
		} else {
			maybe = append(maybe, "`"+f.Path+"`")
		}
	}
	text := strings.Join(always, ", ")
	if len(maybe) > 0 {
		text += "; where they have a value " + strings.Join(maybe, ", ")
	}
	if a.Open {
		text += "; and what the Protocol Mapping adds"
	}
	return strings.TrimPrefix(text, "; ")
}

// signedWith says which of several formulas signs a request.
var signedWith = map[signature.Formula]string{
	signature.CheckoutPayment: "payment_id", signature.CheckoutOrder: "order_id", signature.Card1: "a card number",
	signature.Card1Token: "card_token", signature.Card8: "payment_token", signature.Card5: "a card number",
	signature.Card5Token: "card_token", signature.Card2: "e-mail address and card of the payment",
	signature.APMTrans: "`trans_id` alone: of a payment by another method, and taken of one by card too",
}

func (w *page) signature(c contract.Call, samples []Sample) {
	if len(c.Formulas) == 0 {
		w.line("\n**Signature**: none; the token says who asks.")
		return
	}
	w.line("\n**Signature**, in [words of fields](signing.md#words-of-the-formulas):\n")
	for _, f := range c.Formulas {
		with := ""
		if len(c.Formulas) > 1 && signedWith[f] != "" {
			with = ", with " + signedWith[f]
		}
		w.line("- `%s`%s: `%s`", f, with, f.Notation())
	}
	for _, s := range samples {
		w.steps(s)
	}
}

func (w *page) steps(s Sample) {
	if s.Steps == nil {
		return
	}
	w.line("\nThe hash above, by `%s`, step by step:\n", s.Formula)
	w.line("| Step | Gives |\n|---|---|")
	for _, step := range s.Steps {
		w.line("| %s | `%s` |", step.Notation, step.Value)
	}
}

var protocolNames = map[store.Protocol]contract.Protocol{
	store.Checkout: contract.Checkout, store.S2SCard: contract.S2SCard, store.S2SAPM: contract.S2SAPM,
}
