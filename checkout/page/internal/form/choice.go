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

// fieldMethod carries the code of the method chosen.
const fieldMethod = "method"

// MaxAnswer bounds what is taken in one field that a method asks for, in characters.
const MaxAnswer = 255

// Choices are the methods of the form; a turn that names none takes cards.
func Choices(next *gateway.NextAction) []gateway.MethodChoice {
	if len(next.Methods) == 0 {
		return []gateway.MethodChoice{{Kind: methods.KindCard}}
	}
	return next.Methods
}

// IsWallet holds for methods that are paid by a button of their own and never by the form's.
func IsWallet(m gateway.MethodChoice) bool { return m.Kind == methods.KindWallet }

// Chosen is the place of the method in the list; without a code it is the first that is paid by the form's
// button.
func Chosen(choices []gateway.MethodChoice, code string) (int, bool) {
	if code == "" {
		i := slices.IndexFunc(choices, func(m gateway.MethodChoice) bool { return !IsWallet(m) })
		return max(i, 0), i >= 0
	}
	i := slices.IndexFunc(choices, func(m gateway.MethodChoice) bool { return m.Code == code })
	return max(i, 0), i >= 0
}

// MethodID is the id of a method's radio button.
func MethodID(place int) string { return "method-" + strconv.Itoa(place) }

// firstMethod is the id of the first radio button, empty where there is none.
func firstMethod(next *gateway.NextAction) string {
	choices := Choices(next)
	place, ok := Chosen(choices, "")
	if others := slices.DeleteFunc(slices.Clone(choices), IsWallet); !ok || len(others) < 2 {
		return ""
	}
	return MethodID(place)
}

// Question is a field with its place on the page. Names are the connector's and may hold anything, so
// the id is made of numbers.
type Question struct {
	store.Prompt
	ID    string // of the element
	Field string // name in the form
}

// QuestionsOf are what a method asks on the form.
func QuestionsOf(place int, method gateway.MethodChoice) []Question {
	return Questions("ask-"+strconv.Itoa(place)+"-", "ask."+method.Code+".", method.Prompts)
}

// Questions are asks with their places: id and field are what the ids and the names of their elements begin with.
func Questions(id, field string, asks []store.Prompt) []Question {
	list := make([]Question, len(asks))
	for i, ask := range asks {
		list[i] = Question{ask, id + strconv.Itoa(i), field + ask.Name}
	}
	return list
}

// AnswersTo takes from the form what was asked and nothing else: answers by the names of the asks, and
// a fault for each that is blank, too long or not of its pattern.
func AnswersTo(list []Question, form url.Values) (map[string]string, []Fault) {
	if len(list) == 0 {
		return nil, nil
	}
	answers := make(map[string]string, len(list))
	var faults []Fault
	for _, q := range list {
		answer := q.read(form)
		answers[q.Name] = answer
		if r, ok := q.check(answer); !ok {
			faults = append(faults, Fault{Field: q.ID, Rule: r, label: q.Caption()})
		}
	}
	return answers, faults
}

// read tidies an answer: what cannot be seen goes, and where only digits will do those of every script
// count, spaces and dashes between them do not.
func (q Question) read(form url.Values) string {
	answer := strings.TrimSpace(clean.Visible(form.Get(q.Field)))
	if q.Digits() {
		return store.FoldDigits(answer)
	}
	return answer
}

// check holds an answer against what is known of it; ok is false where rule is broken.
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
	return badAnswer, err != nil || pattern.MatchString(answer) // a pattern we cannot read is the kernel's to check
}

// Caption is what the payer reads, the name where the connector gave none.
func (q Question) Caption() string {
	if label := clean.Shown(q.Prompt.Label); label != "" {
		return label
	}
	return clean.Shown(q.Name)
}

// Digits holds where the pattern takes nothing but digits.
func (q Question) Digits() bool {
	return onlyDigits.MatchString(q.Pattern)
}

var onlyDigits = regexp.MustCompile(`\A\^?(?:\(*(?:\\d|\[0-9\]|[0-9])(?:\{[0-9]+(?:,[0-9]*)?\}|[+*?])?[)|]*)+\$?\z`)

// OneTime holds for one-time codes by their name.
func (q Question) OneTime() bool { return strings.HasSuffix(strings.ToLower(q.Name), "otp") }

// Keep is what may be shown again of an answer: no one-time code, nothing that was never checked for its
// length, and nothing that could be a card number typed into the wrong field.
func (q Question) Keep(answer string) string {
	if q.OneTime() || store.HoldsPAN(answer) || utf8.RuneCountInString(answer) > MaxAnswer {
		return ""
	}
	return answer
}

// named holds where the kernel's path of a fault ends in the name of the question.
func (q Question) named(path string) bool {
	rest, ok := strings.CutSuffix(path, q.Name)
	return ok && q.Name != "" && (rest == "" || strings.HasSuffix(rest, ".")) || strings.HasSuffix(path, "["+q.Name+"]")
}

// AskFaults finds the questions whose answers the kernel would not take.
func AskFaults(list []Question, err *gateway.Error) []Fault {
	var faults []Fault
	for _, q := range list {
		if slices.ContainsFunc(err.Faults, func(f gateway.Fault) bool { return q.named(f.Path) }) {
			faults = append(faults, Fault{Field: q.ID, Rule: badAnswer, label: q.Caption()})
		}
	}
	return faults
}
