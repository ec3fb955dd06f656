package form

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/clean"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// fieldMethod is the field with the code of the chosen method.
const fieldMethod = "method"

// MaxAnswer is the most characters of a field that a method asks for.
const MaxAnswer = 255

// Choices returns the methods of the form; an action without methods takes cards.
func Choices(next *gateway.NextAction) []gateway.MethodChoice {
	if len(next.Methods) == 0 {
		return []gateway.MethodChoice{{Kind: methods.KindCard}}
	}
	return next.Methods
}

// IsWallet reports whether a method is paid by a button of its own and never by the form's.
func IsWallet(m gateway.MethodChoice) bool { return m.Kind == methods.KindWallet }

// Chosen returns the place of the method in the list; without a code it is the first that the form's button pays.
func Chosen(choices []gateway.MethodChoice, code string) (int, bool) {
	if code == "" {
		i := slices.IndexFunc(choices, func(m gateway.MethodChoice) bool { return !IsWallet(m) })
		return max(i, 0), i >= 0
	}
	i := slices.IndexFunc(choices, func(m gateway.MethodChoice) bool { return m.Code == code })
	return max(i, 0), i >= 0
}

// MethodID returns the id of a method's radio button.
func MethodID(place int) string { return "method-" + strconv.Itoa(place) }

// firstMethod returns the id of the first radio button; empty without one.
func firstMethod(next *gateway.NextAction) string {
	choices := Choices(next)
	place, ok := Chosen(choices, "")
	if others := slices.DeleteFunc(slices.Clone(choices), IsWallet); !ok || len(others) < 2 {
		return ""
	}
	return MethodID(place)
}

// Question is a field with its place on the page. Names are the connector's and may hold any text, so the id is
// made of numbers.
type Question struct {
	store.Prompt
	ID    string // of the element
	Field string // name in the form
}

// QuestionsOf returns what a method asks for on the form.
func QuestionsOf(place int, method gateway.MethodChoice) []Question {
	return Questions("ask-"+strconv.Itoa(place)+"-", "ask."+method.Code+".", method.Prompts)
}

// Questions are prompts with their places: id and field are the prefixes of the ids and names of their elements.
func Questions(id, field string, asks []store.Prompt) []Question {
	list := make([]Question, len(asks))
	for i, ask := range asks {
		list[i] = Question{ask, id + strconv.Itoa(i), field + ask.Name}
	}
	return list
}

// AnswersTo reads the answers to what was asked and nothing else, by the names of the prompts, with a fault for
// each one that is blank, too long or does not match its pattern.
func AnswersTo(list []Question, form url.Values) (map[string]string, []Mistake) {
	if len(list) == 0 {
		return nil, nil
	}
	answers := make(map[string]string, len(list))
	var faults []Mistake
	for _, q := range list {
		answer := q.read(form)
		answers[q.Name] = answer
		if r, ok := q.check(answer); !ok {
			faults = append(faults, Mistake{Field: q.ID, Rule: r, label: q.Caption()})
		}
	}
	return answers, faults
}

// read normalizes an answer: invisible characters are removed, and where only digits are valid, digits of every
// script count and spaces and dashes between them are removed.
func (q Question) read(form url.Values) string {
	answer := strings.TrimSpace(clean.Visible(form.Get(q.Field)))
	if q.Digits() {
		return store.FoldDigits(answer)
	}
	return answer
}

// check checks an answer; ok is false when it breaks the rule broken.
func (q Question) check(answer string) (broken Rule, ok bool) {
	switch {
	case answer == "":
		return blankAnswer, false
	case utf8.RuneCountInString(answer) > MaxAnswer:
		return longAnswer, false
	case len(q.Options) > 0:
		return badAnswer, slices.Contains(q.Options, answer)
	case q.Pattern == "":
		return 0, true
	}
	pattern, err := regexp.Compile(`\A(?:` + q.Pattern + `)\z`)
	return badAnswer, err != nil || pattern.MatchString(answer) // the kernel checks a pattern that cannot be read here
}

// Caption returns what the payer reads; the name when the connector gave no label.
func (q Question) Caption() string {
	if label := clean.Shown(q.Prompt.Label); label != "" {
		return label
	}
	return clean.Shown(q.Name)
}

// Digits reports whether the pattern accepts digits only.
func (q Question) Digits() bool {
	return onlyDigits.MatchString(q.Pattern)
}

var onlyDigits = regexp.MustCompile(`\A\^?(?:\(*(?:\\d|\[0-9\]|[0-9])(?:\{[0-9]+(?:,[0-9]*)?\}|[+*?])?[)|]*)+\$?\z`)

// OneTime reports whether the field is a one-time code, by its name.
func (q Question) OneTime() bool { return strings.HasSuffix(strings.ToLower(q.Name), "otp") }

// Keep returns the part of an answer that may be shown again: no one-time code, nothing whose length was not
// checked, and nothing that could be a card number typed into the wrong field.
func (q Question) Keep(answer string) string {
	if q.OneTime() || store.HoldsPAN(answer) || utf8.RuneCountInString(answer) > MaxAnswer {
		return ""
	}
	return answer
}

// named reports whether the kernel's path of a fault ends in the name of the question.
func (q Question) named(path string) bool {
	rest, ok := strings.CutSuffix(path, q.Name)
	return ok && q.Name != "" && (rest == "" || strings.HasSuffix(rest, ".")) || strings.HasSuffix(path, "["+q.Name+"]")
}

// AskFaults returns the questions whose answers the kernel refused.
func AskFaults(list []Question, err *gateway.Error) []Mistake {
	var faults []Mistake
	for _, q := range list {
		if slices.ContainsFunc(err.Faults(), func(f gateway.Fault) bool { return q.named(f.Path) }) {
			faults = append(faults, Mistake{Field: q.ID, Rule: badAnswer, label: q.Caption()})
		}
	}
	return faults
}
