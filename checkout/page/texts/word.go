package texts

import "fmt"

// The platform's own reasons, in the kernel's words.
const (
	reasonUnreached = "The acquirer could not be reached"
	reasonUnpaid    = "Not paid in time"
	reasonAgain     = "That was not right. Please try again."
)

// ToDo is the label of a detail whose value is a sentence of the catalogue, not a value to copy.
const ToDo = "To do"

// Reason is the platform's own reason in the payer's language. An acquirer's is not shown: otherwise replaces it.
func Reason(t *Texts, words, otherwise string) string {
	if own, ok := t.Reasons[words]; ok {
		return own
	}
	return otherwise
}

// Word is a label or method of the catalogue in the payer's language, or as it came.
func Word(t *Texts, label string) string {
	if own, ok := t.Labels[label]; ok {
		return own
	}
	return label
}

// Say puts a value into a text. From right to left it is isolated, so that "12.50 EUR" or a Latin name
// keeps its order and that of its neighbours.
func Say(t *Texts, format, value string) string {
	if t.Dir == "rtl" {
		value = "\u2068" + value + "\u2069" // first strong isolate, pop
	}
	return fmt.Sprintf(format, value)
}
