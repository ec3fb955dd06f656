package texts

import "fmt"

// ToDo is the label of a detail whose value is a sentence of the catalogue, not a value to copy.
const ToDo = "To do"

// Reason returns the platform's own reason in the payer's language. An acquirer's reason is not shown: otherwise
// is returned for it.
func Reason(t *Texts, words, otherwise string) string {
	if own, ok := t.Reasons[words]; ok {
		return own
	}
	return otherwise
}

// Word returns a label or method of the catalogue in the payer's language, or unchanged.
func Word(t *Texts, label string) string {
	if own, ok := t.Labels[label]; ok {
		return own
	}
	return label
}

// Say puts a value into a text. In a text from right to left the value is isolated, so that "12.50 EUR" or a Latin
// name keeps its order and the order of its neighbours.
func Say(t *Texts, format, value string) string {
	if t.Dir == "rtl" {
		value = "\u2068" + value + "\u2069" // first strong isolate, pop
	}
	return fmt.Sprintf(format, value)
}
