package form

// Rule names what is wrong with a field; the catalogue has the words.
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
	refused       // the kernel's, without a field of ours
	refusedMethod // the same where no card was asked for
)

// Fault is one field that failed. Field is empty where none of ours is to blame; label is what the
// connector calls the field, or the path of a field of the payer, empty for those of ours.
type Fault struct {
	Field string
	Rule  Rule
	label string
}
