package s2sclient

import "strings"

// redirect checks redirect_params: an object of texts, on /v2/post an array of name and value.
func (f *findings) redirect(a *Answer) {
	params, found := a.Body.Get("redirect_params")
	if !found {
		return
	}
	object, isObject := params.(*Object)
	list, isList := params.([]any)
	switch v2 := strings.HasSuffix(a.Path, "/v2/post"); {
	case isObject && !v2:
		f.values(object)
	case isList && v2:
		for _, entry := range list {
			f.entry(entry)
		}
	default:
		f.add("redirect_params has the shape of another path than %s", a.Path)
	}
}

func (f *findings) values(object *Object) {
	for _, m := range object.Members {
		if _, ok := m.Value.(string); !ok {
			f.add("redirect_params.%s is no text", m.Name)
		}
	}
}

func (f *findings) entry(entry any) {
	object, ok := entry.(*Object)
	if !ok || strings.Join(object.Names(), " ") != "name value" {
		f.add("an entry of redirect_params is not {name, value}")
		return
	}
	f.values(object)
}

// Types and statuses of transactions in GET_TRANS_DETAILS. The list of types is the documents'; it lacks a void, a
// debit and a transfer, whose own names are accepted as well.
const (
	kinds     = "3DS SALE AUTH CAPTURE CREDIT CHARGEBACK REVERSAL REFUND"
	moreKinds = "VOID DEBIT TRANSFER"
	outcomes  = "success waiting fail"
)

// details checks transactions[] of GET_TRANS_DETAILS.
func (f *findings) details(a *Answer) {
	value, found := a.Body.Get("transactions")
	if !found {
		return
	}
	list, ok := value.([]any)
	if !ok {
		f.add("transactions is no array")
		return
	}
	for i, entry := range list {
		object, ok := entry.(*Object)
		if !ok || strings.Join(object.Names(), " ") != "type status date amount" {
			f.add("transactions[%d] is not {type, status, date, amount}", i)
			continue
		}
		if !has(kinds+" "+moreKinds, object.Text("type")) {
			f.add("transactions[%d].type is %q", i, object.Text("type"))
		}
		if !has(outcomes, object.Text("status")) {
			f.add("transactions[%d].status is %q", i, object.Text("status"))
		}
		if !forms[0].pattern.MatchString(object.Text("date")) {
			f.add("transactions[%d].date is %q", i, object.Text("date"))
		}
		if !forms[1].pattern.MatchString(object.Text("amount")) {
			f.add("transactions[%d].amount is %q", i, object.Text("amount"))
		}
	}
}
