package reference

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/tollgatepay/gateway/callback/signature"
)

// PaysOn is the sentence for a payer who pays on the page, with a card of the demo that has this expiry.
func PaysOn(expiry string) string {
	return "The payer pays on the page of `redirect_url` with card 4111 1111 1111 1111, expiry " + expiry + "."
}

// TypesInto is the sentence for a payer who types such a card into the fields on the shop's page.
func TypesInto(expiry string) string {
	return "The payer types card 4111 1111 1111 1111 into the fields, expiry " + expiry + "."
}

// Shown is a command as a reader finds it on a page, with what the page says of it.
type Shown struct {
	Command   string
	Status    int
	Answer    string   // JSON
	Payer     string   // the expiry of the card with which the payer pays then; "" without a payer
	Callbacks []string // one parameter on each line
}

var (
	shownCall     = regexp.MustCompile("(?s)^(curl [^`]*?)\n```\n\nHTTP (\\d+):\n\n```json\n(.*?)\n```")
	shownPayer    = regexp.MustCompile(`(?m)^The payer .*, expiry (\d\d/\d{4})\.$`)
	shownCallback = regexp.MustCompile("(?s)\n```\n(.*?)\n```")
)

// Read returns the commands of a page, in its order.
func Read(page string) (list []Shown) {
	for i, part := range strings.Split(page, "```sh\n") {
		if found := shownCall.FindStringSubmatch(part); i > 0 && found != nil {
			after, _, _ := strings.Cut(part[len(found[0]):], "\n**Answers**")
			status, _ := strconv.Atoi(found[2]) // the expression takes digits alone
			s := Shown{Command: found[1], Status: status, Answer: found[3]}
			if payer := shownPayer.FindStringSubmatch(after); payer != nil {
				s.Payer = payer[1]
			}
			for _, callback := range shownCallback.FindAllStringSubmatch(after, -1) {
				s.Callbacks = append(s.Callbacks, callback[1])
			}
			list = append(list, s)
		}
	}
	return list
}

// Lines writes the body of a callback as a page does: one parameter on each line, as it means.
func Lines(body string) (string, error) {
	var lines []string
	for pair := range strings.SplitSeq(body, "&") {
		line, err := url.QueryUnescape(pair)
		if err != nil {
			return "", err
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n"), nil
}

var formValue = regexp.MustCompile(`--data-urlencode '([^=']+)=([^']*)'`)

// Values are what a command sends: the parameters of a form, or the texts of a JSON document by their dotted paths.
func Values(command string) map[string]string {
	values := map[string]string{}
	for _, found := range formValue.FindAllStringSubmatch(command, -1) {
		values[found[1]] = found[2]
	}
	if _, body, ok := strings.Cut(command, " -d '"); ok {
		var tree map[string]any
		if json.Unmarshal([]byte(strings.TrimSuffix(body, "'")), &tree) == nil {
			flatten(values, "", tree)
		}
	}
	return values
}

func flatten(values map[string]string, prefix string, tree map[string]any) {
	for name, value := range tree {
		if inner, ok := value.(map[string]any); ok {
			flatten(values, prefix+name+".", inner)
			continue
		}
		values[prefix+name] = fmt.Sprint(value)
	}
}

// Inputs are the values that a hash may cover. payer_email and card_number of a request about a payment are those of
// that payment.
func Inputs(v map[string]string) signature.Inputs {
	first := func(names ...string) string {
		for _, name := range names {
			if v[name] != "" {
				return v[name]
			}
		}
		return ""
	}
	return signature.Inputs{
		OrderNumber: v["order.number"], OrderID: v["order_id"], Amount: first("order.amount", "order_amount", "amount"),
		Currency: first("order.currency", "order_currency"), Description: first("order.description", "order_description"),
		PaymentID: v["payment_id"], TransID: v["trans_id"], Email: v["payer_email"],
		Card:       first("card_number", "payer_card_number"),
		Identifier: v["identifier"], RecurringInitTransID: v["recurring_init_trans_id"],
		RecurringToken: v["recurring_token"], ScheduleID: v["schedule_id"],
	}
}
