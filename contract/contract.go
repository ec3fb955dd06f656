// Package contract describes the wire protocols as data: each call with its fields, answers, errors and signatures,
// from the tables by which requests are checked. checkout.Contract, hpf.Contract and s2s.Contract return it; package
// openapi and docs/reference are made from it, and a host may write pages of its own.
package contract

import (
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/internal/release"
	"github.com/tollgatepay/gateway/refusal"
)

// FirstRelease is the release that brought every call and field that names no other.
const FirstRelease = release.First

// Protocol names one of the wire protocols.
type Protocol string

// The protocols, as headings have them.
const (
	Checkout Protocol = "Checkout"
	Hosted   Protocol = "Hosted Payment Fields"
	S2SCard  Protocol = "S2S CARD"
	S2SAPM   Protocol = "S2S APM"
)

// Call is one request of a protocol: an endpoint, or an action of S2S.
type Call struct {
	Protocol Protocol
	Name     string   // unique in its protocol: of the action, or of the path
	Action   string   // of S2S; "" elsewhere
	Alias    string   // another name of the action
	Says     string   // one sentence
	Notes    string   // what else a client has to know, in a few sentences; "" for nothing
	Method   string   // of HTTP
	Paths    []string // where it is served
	Limit    int      // of the body, in bytes
	Form     bool     // the body is a form, else JSON
	Token    bool     // the header Token has the token of a session
	Closed   bool     // a field that the call does not know is refused
	Fields   []Field  // of the request, in the order of the table
	Answers  []Answer // what is answered with HTTP 200
	List     bool     // the answer may also be a list of such objects
	Formulas []signature.Formula
	Errors   []*refusal.Error // beside those of every call
	Since    string           // the release that brought it; "" for FirstRelease
}

// Type is the type of a field on the wire.
type Type string

// The types. In a form every value is a text; an Object has names in brackets.
const (
	Text    Type = "text"
	Flag    Type = "flag"    // true, false, or one of the texts "true", "false", "Y", "N"
	Boolean Type = "boolean" // true or false
	Whole   Type = "whole"   // a whole number, as a number or as its digits
	Scalar  Type = "scalar"  // a text, a number or a boolean
	Object  Type = "object"  // any object
	Texts   Type = "texts"   // a list of texts
	List    Type = "list"    // a list of objects
	Number  Type = "number"  // a whole number
	Either  Type = "either"  // an object, or a list of objects with name and value
	Nothing Type = "null"
)

// Form is what a description says of a value: its bounds as a schema has them, and in words what no schema says.
type Form struct {
	Min, Max int      // characters, in a list those of each entry; 0 for no bound
	Pattern  string   // an expression that a sound value matches, of the grammar that Go and ECMA-262 have in common
	Format   string   // a format of JSON Schema that names what is meant; it bounds nothing
	Choices  []string // all sound values
	Many     int      // entries of a list; 0 for no bound
	Words    string   // what else is asked, in words
}

// Requirement is whether a field has to be sent.
type Requirement string

// The requirements.
const (
	Required    Requirement = "required"
	Conditional Requirement = "conditional"
	Optional    Requirement = "optional"
)

// Row is a row of a table of fields.
type Row struct {
	Path        string // dotted in JSON, with brackets in forms
	Requirement Requirement
	Condition   string // in words, when it is conditional
	Forms       []Form
	Also        []string // other names of the field
	Numbers     bool     // a card number in it is not refused
	Since       string   // the release that brought it; "" for FirstRelease
}

// Field is a field of a request or of an answer.
type Field struct {
	Row
	Type Type
	Null bool // null has a meaning of its own
}

// Answer is the object that answers one result.
type Answer struct {
	Result string // the value of result, "" where answers have none that tells them apart
	Means  string // what the result says and what to do then, in a few sentences; "" for nothing
	Fields []Field
	Open   bool // with more members, by switches of the Protocol Mapping
}

// Texted returns fields of type Text by their names. A name that ends in a question mark stands for a field, named
// without it, that an answer has only where it has a value.
func Texted(names ...string) (list []Field) {
	for _, name := range names {
		f := Field{Row: Row{Path: name, Requirement: Required}, Type: Text}
		if n := len(name) - 1; name[n] == '?' {
			f.Path, f.Requirement = name[:n], Optional
		}
		list = append(list, f)
	}
	return list
}

// Typed sets the types of fields by their names, and returns the list that it has changed.
func Typed(list []Field, types map[string]Type) []Field {
	for i := range list {
		if t, ok := types[list[i].Path]; ok {
			list[i].Type = t
		}
	}
	return list
}
