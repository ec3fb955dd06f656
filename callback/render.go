package callback

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/tollgatepay/gateway/store"
)

// form is how one protocol reports an event.
type form struct {
	rows      []row // one of them is the hash
	sign      func(e *Event, fields []Field) string
	requireOK bool
}

func formOf(protocol store.Protocol) (f form, ok bool) {
	switch protocol {
	case store.Checkout:
		return form{checkoutFields, signCheckout, false}, true
	case store.S2SCard:
		return form{cardFields, signCard, true}, true
	case store.S2SAPM:
		return form{apmFields, signAPM, true}, true
	}
	return form{}, false
}

// Render makes the signed body of a callback, in the format of the payment's protocol. It has no side effects: the
// bytes are stored and sent unchanged with every attempt. requireOK says that only a body OK acknowledges it
// (decision g). Errors: a protocol that has no callbacks, custom_data that is no JSON.
func Render(e Event) (body string, requireOK bool, err error) {
	form, ok := formOf(e.Payment.Protocol)
	if !ok {
		return "", false, fmt.Errorf("callback: protocol %q has no callbacks", e.Payment.Protocol)
	}
	if len(e.Payment.CustomData) > 0 {
		if e.custom, err = decode(e.Payment.CustomData); err != nil {
			return "", false, fmt.Errorf("callback: custom_data: %w", err)
		}
	}
	e.action = action(&e)
	e.result = result(&e)
	r := renderings.Get().(*rendering)
	r.event = e
	fields := pick(r.room[:0], form.rows, &r.event)
	at := slices.IndexFunc(fields, func(f Field) bool { return f.Name == hash })
	fields[at].Value = form.sign(&r.event, fields)
	body = Encode(fields)
	*r = rendering{}
	renderings.Put(r)
	return body, form.requireOK, nil
}

// rendering is an event and the room for its fields, as many as a callback usually has.
type rendering struct {
	event Event
	room  [32]Field
}

// renderings are empty ones, to be used again.
var renderings = sync.Pool{New: func() any { return new(rendering) }}

func decode(text json.RawMessage) (tree any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err = decoder.Decode(&tree)
	return tree, err
}
