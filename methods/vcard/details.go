package vcard

import (
	"strings"

	"github.com/tollgatepay/gateway/methods"
)

// AccountSetting names the setting of the MID with the account for bank transfers. TestAccount is its default; no
// bank has it.
const (
	AccountSetting = "destination_account"
	TestAccount    = "000000000000000000"
)

func account(op methods.Operation) string {
	if set := op.MID.Settings[AccountSetting]; set != "" {
		return set
	}
	return TestAccount
}

// linkDetails say where the link was sent, if the request named an address.
func linkDetails(op methods.Operation) []methods.Detail {
	to, other := op.Payer.Email, op.Payer.Address.Phone
	if strings.Contains(op.Method, "sms") {
		to, other = other, to
	}
	if to == "" {
		to = other
	}
	if to == "" {
		return nil
	}
	return []methods.Detail{{Label: "Link sent to", Value: to}}
}
