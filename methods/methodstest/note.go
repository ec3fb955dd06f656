package methodstest

import (
	"bytes"
	"net/http"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

func noteChecks() []check {
	return []check{
		{"notification/made up", needs{notified: true}, checkMadeUpNote},
		{"notification/genuine, replayed and tampered with", needs{notified: true, notify: true}, checkNote},
	}
}

func checkMadeUpNote(p *probe) {
	op := p.operation(store.OpSale, p.Approve)
	p.approved(op)
	for _, note := range []methods.Note{
		{},
		{Method: "POST", Body: []byte("{}")},
		{Method: "POST", Body: []byte(`{"key":"` + op.Key + `","status":"approved","state":"declined"}`)},
		{Method: "POST", Header: map[string][]string{"Signature": {"00"}, "Authorization": {"Bearer x"}}, Body: bytes.Repeat([]byte{0}, 1024)},
		{Method: "GET", Query: map[string][]string{"key": {op.Key}, "status": {"approved"}}},
	} {
		a := p.notification(op, note)
		require.Equal(p.tb, methods.ResultUnverified, a.Result, "a notification that does not verify is unverified")
	}
	p.effects(op, 1)
}

func checkNote(p *probe) {
	op, other := p.operation(store.OpSale, p.Approve), p.operation(store.OpSale, p.Approve)
	p.approved(op)
	p.approved(other)
	note := p.Notify(p.tb, p.connector, op)
	for range 2 {
		a := p.notification(op, note)
		require.Equal(p.tb, methods.ResultApproved, a.Result, "cause %q", a.Cause)
		p.repeats(op, a)
	}
	p.effects(op, 1)

	foreign := p.notification(other, note)
	believed := foreign.Result != methods.ResultUnverified && foreign.Repeats(other)
	require.False(p.tb, believed, "a notification about another operation changes nothing")

	for _, forged := range forgeries(note) {
		require.Equal(p.tb, methods.ResultUnverified, p.notification(op, forged).Result,
			"a forged notification is unverified")
	}
}

// forgeries returns the note with a byte of its body changed, and without its headers. A note with neither is
// signed in another way and has no forgeries.
func forgeries(note methods.Note) []methods.Note {
	var forged []methods.Note
	for _, at := range []int{0, len(note.Body) / 2, len(note.Body) - 1} {
		if len(note.Body) > 0 {
			changed := note
			changed.Body = bytes.Clone(note.Body)
			changed.Body[at] ^= 1
			forged = append(forged, changed)
		}
	}
	if len(note.Body) > 0 && len(note.Header) > 0 {
		bare := note
		bare.Header = http.Header{}
		forged = append(forged, bare)
	}
	return forged
}
