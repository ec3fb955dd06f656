package methods

import (
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/internal/fault"
)

const textCard = fault.Card

// wordsOf returns the endings, in lower case, of the names of parameters in which people write text. All other
// parameters may hold digits that look like a card number: numbers of accounts, phones and parcels, and
// identifiers (decision ba).
func wordsOf() []string {
	return []string{
		"descriptor", "description", "comment", "giftmessage", "shippinginstructions", "externalmemo",
		"providerreferencetext",
		"securityquestion", "securityquestionanswer", "category",
		"name", "name_of_bank", "fname", "lname", "beneficiary", "productreceiver",
		"email", "city", "state", "province", "region", "district", "street", "street1", "street2", "branch", "branch_bank",
		"address1", "address2", "address_of_bank", "apartment", "housenumber1", "housenumber2",
		"bank_address", "payee_address", "receiver_address", "user_address", "toaddress", "recipient.address",
	}
}

// isWords reports whether people write the value of a row as text. A plain address may be that of a crypto
// network, and fields of the request are checked elsewhere.
func (r *Row) isWords() bool {
	switch r.Rule.Kind {
	case RuleString, RuleText, RuleEmail:
	default:
		return false
	}
	name := strings.ToLower(r.Path)
	return !r.Request && !r.Secret &&
		slices.ContainsFunc(wordsOf(), func(end string) bool { return strings.HasSuffix(name, end) })
}
