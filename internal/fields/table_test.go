package fields_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/refusal"
)

// letter is a request with one text.
type letter struct {
	text, shape string
	needed      bool
}

func (l letter) value() string { return l.text }

func TestTable(t *testing.T) {
	t.Parallel()
	row := fields.Field[letter]{
		Path: "text", Value: letter.value, Needed: fields.If("when asked", func(l letter) bool { return l.needed }),
		Shape: func(l letter) string { return l.shape },
		Rules: []fields.Rule[letter]{
			fields.Plain[letter](fields.AtMost(20)), fields.Plain[letter](fields.Like(`^[^!]*$`, "no call")),
		},
	}
	with := func(change func(*fields.Field[letter])) fields.Field[letter] {
		changed := row
		change(&changed)
		return changed
	}
	const long, card = "much too long a text, it is!", "4111 1111 1111 1111"
	for name, c := range map[string]struct {
		row          fields.Field[letter]
		every, cards bool
		sent         letter
		want         []string
	}{
		"absent":                         {row: row},
		"absent, without a need":         {row: with(func(f *fields.Field[letter]) { f.Needed = fields.Need[letter]{} }), sent: letter{needed: true}},
		"blank":                          {row: row, sent: letter{needed: true}, want: []string{fields.TextBlank}},
		"sound":                          {row: row, sent: letter{text: "hello", needed: true}},
		"the first rule that fails":      {row: row, sent: letter{text: long}, want: []string{fields.TextLong(20)}},
		"every rule that fails":          {row: row, every: true, sent: letter{text: long}, want: []string{fields.TextLong(20), "no call"}},
		"a later rule":                   {row: row, sent: letter{text: "hello!"}, want: []string{"no call"}},
		"the shape goes first":           {row: row, every: true, sent: letter{text: long, shape: "list"}, want: []string{"list"}},
		"a card number":                  {row: row, cards: true, sent: letter{text: card}, want: []string{fields.TextCard}},
		"where cards are judged later":   {row: row, sent: letter{text: card}},
		"among numbers":                  {row: with(func(f *fields.Field[letter]) { f.Numbers = true }), cards: true, sent: letter{text: card}},
		"a rule goes before the card":    {row: row, cards: true, sent: letter{text: card + "!!"}, want: []string{fields.TextLong(20)}},
		"a control character":            {row: row, sent: letter{text: "a\nb"}, want: []string{fields.TextPrintable}},
		"a rule goes before the line":    {row: row, every: true, sent: letter{text: "a\nb!"}, want: []string{"no call"}},
		"a document may have lines":      {row: with(func(f *fields.Field[letter]) { f.Lines = true }), sent: letter{text: "a\nb"}},
		"blank with a second fault":      {row: with(func(f *fields.Field[letter]) { f.Missing = "second" }), sent: letter{needed: true}, want: []string{fields.TextBlank, "second"}},
		"absent without a second fault":  {row: with(func(f *fields.Field[letter]) { f.Missing = "second" })},
		"a check stands in place of all": {row: with(func(f *fields.Field[letter]) { f.Check = called }), sent: letter{text: long}, want: []string{"called"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table := fields.Table[letter]{Fields: []fields.Field[letter]{c.row}, Every: c.every, Cards: c.cards}
			require.Equal(t, faultsAt("text", c.want), table.Faults(c.sent, nil))
			require.Equal(t, faultsAt("other", c.want), (&fields.Table[letter]{
				Fields: []fields.Field[letter]{c.row.Named("other")}, Every: c.every, Cards: c.cards,
			}).Faults(c.sent, nil))
			require.Empty(t, table.Faults(c.sent, func(path string) bool { return path == "text" }))
		})
	}
}

func called(letter) []refusal.Fault { return []refusal.Fault{{Path: "text", Text: "called"}} }

func faultsAt(path string, texts []string) (list []refusal.Fault) {
	for _, text := range texts {
		list = append(list, refusal.Fault{Path: path, Text: text})
	}
	return list
}

// A fault belongs to the row of its path, of what holds it or of what it holds; a list's entry to that of the list.
func TestTablePlace(t *testing.T) {
	t.Parallel()
	table := fields.Table[letter]{Fields: []fields.Field[letter]{
		{Path: "order.number"}, {Path: "methods"}, {Path: "payee"},
	}}
	for path, want := range map[string]int{
		"order.number": 0, "order": 0, "order.number.x": 0, "methods[3]": 1, "payee.name": 2, "pay": 3, "orders": 3,
		"order.numbers": 3, "": 3,
	} {
		require.Equal(t, want, table.Place(path), path)
	}
}
