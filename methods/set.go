package methods

import "slices"

// Set is a parameter set: the parameters that some methods have in addition to the fields of every request, one
// row each, as SPEC2 lists them. It is data and can be stored as JSON; NewCatalogue and Compile check it.
type Set struct {
	Name  string `json:"name"`            // lower-case letters, digits and "-"; unique in a catalogue
	Title string `json:"title,omitempty"` // for people
	Doc   string `json:"doc,omitempty"`   // where it comes from, and what cannot be checked here
	Rows  []Row  `json:"rows"`
	// Operators is the table that the operator rules of the rows read.
	Operators []Operator `json:"operators,omitempty"`
}

// Row is one parameter of a set.
type Row struct {
	// Path is a pattern such as "cart.items[].recipient.city". With Request it is the S2S name of a field of the
	// request itself, such as "payer_email", for which this set adds a rule.
	Path        string      `json:"path"`
	Requirement Requirement `json:"requirement"`
	When        Condition   `json:"when,omitempty"`   // with Conditional
	Where       Where       `json:"where,omitzero"`   // binds the row to another parameter's value
	Beside      string      `json:"beside,omitempty"` // another parameter at the top level of the set: ignored without it
	Rule        Rule        `json:"rule"`
	Default     string      `json:"default,omitempty"` // used when the parameter is absent
	// Option is the name of the MID option that replaces the parameter and Default (decision br). Where the MID does
	// not set it, the request's value counts. See MIDOptions.
	Option  string `json:"option,omitempty"`
	Alias   string `json:"alias,omitempty"`   // another name, read when Path is absent
	Request bool   `json:"request,omitempty"` // a field of the request, not a parameter
	Secret  bool   `json:"secret,omitempty"`  // card data: seal it, never show it
	Example string `json:"example,omitempty"` // a valid value, where the rule has no sample
	Doc     string `json:"doc,omitempty"`
}

// Requirement says whether a parameter must be sent. An empty string, null, an empty object and an empty
// list count as absent (decision m).
type Requirement string

// The requirements, by their marks in SPEC2.
const (
	Required    Requirement = "req"
	Conditional Requirement = "cond"
	Optional    Requirement = "opt"
)

// Condition says when a Conditional parameter is required.
type Condition string

// The conditions.
const (
	// WhenNotAsked: unless the hosted page asks the payer for it. So it is required on S2S, and on Checkout once the
	// page has asked.
	WhenNotAsked Condition = "page"
	// WhenNotExempt is WhenNotAsked, except for payers of the countries in MIDOptions.NoDocumentType.
	WhenNotExempt Condition = "page-country"
	// WhenAnswered: the payer is asked after the start, whatever the protocol; required then.
	WhenAnswered Condition = "interaction"
	// WhenListed: when the MID lists the parameter as needed (decision w).
	WhenListed Condition = "mid"
)

// Words returns the requirement in words, for people.
func (r Row) Words() string {
	words := string(r.Requirement)
	switch r.Requirement {
	case Required:
		words = "required"
	case Optional:
		words = "optional"
	case Conditional:
		words = map[Condition]string{
			WhenNotAsked:  "required; in a session the page asks for it when it is left out",
			WhenNotExempt: "required, unless the payer's country is exempt; in a session the page asks for it when it is left out",
			WhenAnswered:  "collected on interaction, required then",
			WhenListed:    "required where the MID lists it",
		}[r.When]
	}
	if r.Beside != "" {
		words += ", ignored without `" + r.Beside + "`"
	}
	return words + r.Where.words()
}

// ignored reports whether the value of the row does not count in a tree, for lack of the parameter beside it.
func (r *Row) ignored(tree map[string]any) bool { return r.Beside != "" && isAbsent(tree[r.Beside]) }

// Sample returns a value for the row: its Example, or one that satisfies its rule.
func (r Row) Sample() string {
	if r.Example != "" {
		return r.Example
	}
	return r.Rule.Sample()
}

func requirements() []Requirement { return []Requirement{Required, Conditional, Optional} }

func conditions() []Condition {
	return []Condition{WhenNotAsked, WhenNotExempt, WhenAnswered, WhenListed}
}

// The constructors below keep the tables of sets as short as the tables of SPEC2.

func req(path string, rule Rule, doc string) Row {
	return Row{Path: path, Requirement: Required, Rule: rule, Doc: doc}
}

func opt(path string, rule Rule, doc string) Row {
	return Row{Path: path, Requirement: Optional, Rule: rule, Doc: doc}
}

// cond returns SPEC2's conditional parameter of a method: required unless the page collects it.
func cond(path string, rule Rule, doc string) Row {
	return Row{Path: path, Requirement: Conditional, When: WhenNotAsked, Rule: rule, Doc: doc}
}

// need returns a conditional parameter of the grid: required when the MID lists it.
func need(path string, rule Rule, doc string) Row {
	return Row{Path: path, Requirement: Conditional, When: WhenListed, Rule: rule, Doc: doc}
}

// answered returns a parameter that the payer is asked for after the start.
func answered(path string, rule Rule, doc string) Row {
	return Row{Path: path, Requirement: Conditional, When: WhenAnswered, Rule: rule, Doc: doc}
}

func (r Row) defaults(value string) Row { r.Default = value; return r }

func (r Row) where(path string, values ...string) Row { r.Where = Where{path, values}; return r }

func (r Row) beside(path string) Row { r.Beside = path; return r }

func (r Row) example(value string) Row { r.Example = value; return r }

func (r Row) ofRequest() Row { r.Request = true; return r }

func (r Row) from(option string) Row { r.Option = option; return r }

func text() Rule                { return Rule{Kind: RuleString} }
func upTo(n int) Rule           { return Rule{Kind: RuleString, Max: n} }
func between(least, n int) Rule { return Rule{Kind: RuleString, Min: least, Max: n} }
func an(n int) Rule             { return Rule{Kind: RuleText, Max: n} }
func num(n int) Rule            { return Rule{Kind: RuleDigits, Max: n} }
func exactly(n int) Rule        { return Rule{Kind: RuleDigits, Min: n, Max: n} }
func alpha(n int) Rule          { return Rule{Kind: RuleLetters, Max: n} }
func dec(whole, n int) Rule     { return Rule{Kind: RuleDecimal, Max: whole, Decimals: n} }
func one(values ...string) Rule { return Rule{Kind: RuleEnum, Values: values} }
func is(kind RuleKind) Rule     { return Rule{Kind: kind} }

// requestFields are the fields of a request for which sets have rules, by their S2S names, with their Checkout
// paths (both parts of a name are customer.name there).
var requestFields = []struct{ name, checkout string }{
	{"order_id", "order.number"},
	{"order_amount", "order.amount"},
	{"order_currency", "order.currency"},
	{"order_description", "order.description"},
	{"payer_first_name", "customer.name"},
	{"payer_last_name", "customer.name"},
	{"payer_email", "customer.email"},
	{"payer_phone", "billing_address.phone"},
	{"payer_country", "billing_address.country"},
	{"payee_first_name", "payee.name"},
	{"payee_last_name", "payee.name"},
	{"payee_email", "payee.email"},
}

// RequestFields returns the S2S names of the fields of a request that rules of sets may read. Request.Field is asked
// for them.
func RequestFields() []string {
	names := make([]string, len(requestFields))
	for i, f := range requestFields {
		names[i] = f.name
	}
	return names
}

// spellRequest returns the name of a field of the request in the caller's spelling.
func spellRequest(name string, spelling Spelling) string {
	if spelling == Form {
		return name
	}
	i := slices.IndexFunc(requestFields, func(f struct{ name, checkout string }) bool { return f.name == name })
	return requestFields[i].checkout
}
