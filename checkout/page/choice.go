package page

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

// maxAnswer bounds what is taken in one field that a method asks for, in characters.
const maxAnswer = 255

// choicesOf are the methods of the form; a turn that names none takes cards.
func choicesOf(turn *gateway.Turn) []gateway.MethodChoice {
	if len(turn.Methods) == 0 {
		return []gateway.MethodChoice{{Kind: methods.KindCard}}
	}
	return turn.Methods
}

// chosen is the place of the method in the list; without a code it is the first that is paid by the form's
// button.
func chosen(choices []gateway.MethodChoice, code string) (int, bool) {
	if code == "" {
		i := slices.IndexFunc(choices, func(m gateway.MethodChoice) bool { return !isWallet(m) })
		return max(i, 0), i >= 0
	}
	i := slices.IndexFunc(choices, func(m gateway.MethodChoice) bool { return m.Code == code })
	return max(i, 0), i >= 0
}

// question is a field with its place on the page. Names are the connector's and may hold anything, so
// the id is made of numbers.
type question struct {
	store.Ask
	id    string // of the element
	field string // name in the form
}

// questionsOf are what a method asks on the form.
func questionsOf(place int, method gateway.MethodChoice) []question {
	return questions("ask-"+strconv.Itoa(place)+"-", "ask."+method.Code+".", method.Asks)
}

func questions(id, field string, asks []store.Ask) []question {
	list := make([]question, len(asks))
	for i, ask := range asks {
		list[i] = question{ask, id + strconv.Itoa(i), field + ask.Name}
	}
	return list
}

// answersTo takes from the form what was asked and nothing else: answers by the names of the asks, and
// a fault for each that is blank, too long or not of its pattern.
func answersTo(list []question, form url.Values) (map[string]string, []fault) {
	if len(list) == 0 {
		return nil, nil
	}
	answers := make(map[string]string, len(list))
	var faults []fault
	for _, q := range list {
		answer := q.read(form)
		answers[q.Name] = answer
		if r, ok := q.check(answer); !ok {
			faults = append(faults, fault{field: q.id, rule: r, label: q.label()})
		}
	}
	return answers, faults
}

// read tidies an answer: what cannot be seen goes, and where only digits will do those of every script
// count, spaces and dashes between them do not.
func (q question) read(form url.Values) string {
	answer := strings.TrimSpace(clean.Visible(form.Get(q.field)))
	if q.digits() {
		return store.FoldDigits(answer)
	}
	return answer
}

// check holds an answer against what is known of it; ok is false where rule is broken.
func (q question) check(answer string) (broken rule, ok bool) {
	switch {
	case answer == "":
		return blankAnswer, false
	case utf8.RuneCountInString(answer) > maxAnswer:
		return longAnswer, false
	case len(q.Options) > 0:
		return badAnswer, slices.Contains(q.Options, answer)
	case q.Pattern == "":
		return 0, true
	}
	pattern, err := regexp.Compile(`\A(?:` + q.Pattern + `)\z`)
	return badAnswer, err != nil || pattern.MatchString(answer) // a pattern we cannot read is the kernel's to check
}

// label is what the payer reads, the name where the connector gave none.
func (q question) label() string {
	if label := clean.Shown(q.Label); label != "" {
		return label
	}
	return clean.Shown(q.Name)
}

// digits holds where the pattern takes nothing but digits.
func (q question) digits() bool {
	return onlyDigits.MatchString(q.Pattern)
}

var onlyDigits = regexp.MustCompile(`\A\^?(?:\(*(?:\\d|\[0-9\]|[0-9])(?:\{[0-9]+(?:,[0-9]*)?\}|[+*?])?[)|]*)+\$?\z`)

// oneTime holds for one-time codes by their name.
func (q question) oneTime() bool { return strings.HasSuffix(strings.ToLower(q.Name), "otp") }

// keep is what may be shown again of an answer: no one-time code, nothing that was never checked for its
// length, and nothing that could be a card number typed into the wrong field.
func (q question) keep(answer string) string {
	if q.oneTime() || store.HoldsPAN(answer) || utf8.RuneCountInString(answer) > maxAnswer {
		return ""
	}
	return answer
}

// named holds where the kernel's path of a fault ends in the name of the question.
func (q question) named(path string) bool {
	rest, ok := strings.CutSuffix(path, q.Name)
	return ok && q.Name != "" && (rest == "" || strings.HasSuffix(rest, ".")) || strings.HasSuffix(path, "["+q.Name+"]")
}

// askFaults finds the questions whose answers the kernel would not take.
func askFaults(list []question, err *gateway.Error) []fault {
	var faults []fault
	for _, q := range list {
		if slices.ContainsFunc(err.Faults, func(f gateway.Fault) bool { return q.named(f.Path) }) {
			faults = append(faults, fault{field: q.id, rule: badAnswer, label: q.label()})
		}
	}
	return faults
}
