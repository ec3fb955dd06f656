package form

// Rule names what is wrong with a field; the catalogue has the texts.
type Rule int

// The rules of the form (errors.md, "Checkout hosted-page (form) messages").
const (
	badNumber Rule = iota
	BlankExpiry
	badExpiry
	badCode
	badName
	badMethod
	BadPayee
	badAmount
	badTerms
	blankField
	badField
	blankAnswer
	longAnswer
	badAnswer
	ChangedTerms
	refused       // refused by the kernel, without a field of ours
	refusedMethod // the same when no card was asked for
)

// Mistake is one field of the form that a payer has to put right. Field is empty when the form has no such field. label
// is the connector's label of the field, or the path of a field of the payer; empty for our own fields.
type Mistake struct {
	Field string
	Rule  Rule
	label string
}
