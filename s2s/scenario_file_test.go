package s2s_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// scenario is a file of testdata.
type scenario struct {
	head   []string // title and clause
	blocks []block
}

// block is a paragraph of a scenario: its first line without the mark, and the other lines.
type block struct {
	mark, line string
	rest       []string
}

func readScenario(t testing.TB, text string) (s scenario) {
	t.Helper()
	for i, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		lines := strings.Split(paragraph, "\n")
		if i == 0 {
			require.Len(t, lines, 2, "a scenario begins with its title and its clause")
			require.True(t, strings.HasPrefix(lines[1], "clause: "), lines[1])
			s.head = lines
			continue
		}
		if mark, line, _ := strings.Cut(lines[0], " "); mark == "~" { // several steps may follow each other
			for _, each := range lines {
				line, ok := strings.CutPrefix(each, "~ ")
				require.True(t, ok || strings.HasPrefix(each, "= "), each)
				if ok {
					s.blocks = append(s.blocks, block{mark: mark, line: line})
				}
			}
		} else {
			require.Contains(t, "><*", mark, paragraph)
			s.blocks = append(s.blocks, block{mark, line, lines[1:]})
		}
	}
	return s
}

// results returns the results in the file, like "< SALE SUCCESS" and "* SALE SUCCESS".
func (s *scenario) results() (list []string) {
	action := ""
	for _, b := range s.blocks {
		switch b.mark {
		case ">":
			action = valueOf(b.rest, "action")
		case "<":
			var answer struct{ Result string }
			if json.Unmarshal([]byte(strings.Join(b.rest, "\n")), &answer) == nil {
				list = append(list, "< "+action+" "+answer.Result)
			}
		case "*":
			list = append(list, "* "+valueOf(b.rest, "action")+" "+valueOf(b.rest, "result"))
		}
	}
	return list
}

func valueOf(lines []string, name string) string {
	for _, line := range lines {
		if value, ok := strings.CutPrefix(line, name+"="); ok {
			return value
		}
	}
	return ""
}

// shorthands are lines of a request that mean several parameters.
var shorthands = map[string]func(words []string) []string{
	// order ORDER-1 10.00 USD
	"order": func(w []string) []string {
		return []string{"order_id=" + w[0], "order_amount=" + w[1], "order_currency=" + w[2], "order_description=Product"}
	},
	// card 01/2038: the test card of the documents, whose expiry decides
	"card": func(w []string) []string {
		month, year, _ := strings.Cut(w[0], "/")
		return []string{"card_number=" + pan, "card_exp_month=" + month, "card_exp_year=" + year, "card_cvv2=000"}
	},
	// payer: the payer of the documents' samples
	"payer": func([]string) []string {
		return []string{
			"payer_first_name=John", "payer_last_name=Doe", "payer_address=Big street", "payer_country=US", "payer_state=CA",
			"payer_city=City", "payer_zip=123456", "payer_email=" + email, "payer_phone=199999999", "payer_ip=123.123.123.123",
		}
	},
	// back: the return URL, by its name in S2S CARD
	"back": func([]string) []string { return []string{"term_url_3ds=http://client.site.com/return.php"} },
}

// expand replaces the shorthands of a request.
func expand(t testing.TB, lines []string) (pairs [][2]string) {
	t.Helper()
	for _, line := range lines {
		written := []string{line}
		if words := strings.Fields(line); !strings.Contains(line, "=") {
			shorthand, ok := shorthands[words[0]]
			require.True(t, ok, "neither name=value nor a shorthand: %s", line)
			written = shorthand(words[1:])
		}
		for _, pair := range written {
			name, value, _ := strings.Cut(pair, "=")
			pairs = append(pairs, [2]string{name, value})
		}
	}
	return pairs
}
