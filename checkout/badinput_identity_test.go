package checkout_test

import (
	"strings"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
)

// Signature and identity (reliability.md, rows 19 and 28).
var badIdentity = []bad{
	{name: "no hash", edits: []edit{drop("hash")}, want: []string{"hash" + blank}},
	one("empty hash", "hash", "", "hash"+blank),
	one("null hash", "hash", raw("null"), "hash"+blank),
	one("39 digits", "hash", strings.Repeat("a", 39), badHash),
	one("41 digits", "hash", strings.Repeat("a", 41), badHash),
	one("40 digits, wrong", "hash", strings.Repeat("a", 40), badHash),
	one("no hexadecimal digits", "hash", strings.Repeat("z", 40), badHash),
	one("an MD5 hash", "hash", strings.Repeat("a", 32), badHash),
	one("a SHA-256 hash", "hash", strings.Repeat("a", 64), badHash),
	one("100,000 digits", "hash", strings.Repeat("a", 100_000), badHash),
	one("full-width digits", "hash", strings.Repeat("ａ", 40), badHash),
	one("space alone for a hash", "hash", " ", badHash),
	one("list for a hash", "hash", raw(`["a"]`), "hash"+notString),
	one("number for a hash", "hash", raw("0"), "hash"+notString),
	one("object for a hash", "hash", raw(`{}`), "hash"+notString),
	one("true for a hash", "hash", raw("true"), "hash"+notString),
	with("right hash and a space", badHash, spoilHash(func(hash string) string { return hash + " " })),
	with("space and the right hash", badHash, spoilHash(func(hash string) string { return " " + hash })),
	with("right hash but for one digit", badHash, spoilHash(func(hash string) string {
		if hash[0] == '0' {
			return "1" + hash[1:]
		}
		return "0" + hash[1:]
	})),
	with("right hash in capitals", badHash,
		spoilHash(strings.ToUpper)), // lower-case digits (checkout.md, "Hash formulas")
	with("right hash backwards", badHash, spoilHash(func(hash string) string {
		digits := []byte(hash)
		for i, j := 0, len(digits)-1; i < j; i, j = i+1, j-1 {
			digits[i], digits[j] = digits[j], digits[i]
		}
		return string(digits)
	})),
	with("hash of another amount", badHash, signFirst, set("order.amount", "1.00")),
	with("hash of another currency", badHash, signFirst, set("order.currency", "EUR")),
	with("hash of another description", badHash, signFirst, set("order.description", "Another gift")),
	with("hash of another order", badHash, signFirst, set("order.number", "ORD-2")),
	with("hash of the amount without its zeros", badHash, func(o object) {
		set("order.amount", "10")(o)
		signFirst(o)
		set("order.amount", "10.00")(o)
	}),
	with("hash without the amount", badHash, func(o object) {
		order := o["order"].(object)
		in := signature.Inputs{OrderNumber: order.at("number"), Currency: order.at("currency"),
			Description: order.at("description")}
		o["hash"] = signature.Sign(signature.CheckoutSession, signature.MD5, in, gatewaytest.Password)
	}),
	with("hash with SHA-256 where the mapping says MD5", badHash,
		func(o object) { o["hash"] = o.sign(signature.SHA256, gatewaytest.Password) }),
	with("hash with another password", badHash,
		func(o object) { o["hash"] = o.sign(signature.MD5, "not the password 01") }),
	with("hash with no password", badHash, func(o object) { o["hash"] = o.sign(signature.MD5, "") }),

	{name: "no merchant_key", edits: []edit{drop("merchant_key")}, want: []string{"merchant_key" + blank}},
	one("empty merchant_key", "merchant_key", "", "merchant_key"+blank),
	one("unknown merchant_key", "merchant_key", "00000000-0000-0000-0000-000000000000", "merchant_key"+invalid),
	one("merchant_key in capitals", "merchant_key", strings.ToUpper(gatewaytest.MerchantKey), "merchant_key"+invalid),
	one("merchant_key and a space", "merchant_key", gatewaytest.MerchantKey+" ", "merchant_key"+invalid),
	one("id for the key", "merchant_key", gatewaytest.MerchantID, "merchant_key"+invalid),
	one("merchant_key of 256 characters", "merchant_key", strings.Repeat("k", 256), "merchant_key"+invalid),
	one("merchant_key of 255 wide characters", "merchant_key", strings.Repeat("😀", 255), "merchant_key"+invalid),
	one("number for a merchant_key", "merchant_key", raw("1"), "merchant_key"+notString),
	one("list for a merchant_key", "merchant_key", raw(`["a"]`), "merchant_key"+notString),
	one("$ne for a merchant_key", "merchant_key", raw(`{"$ne":""}`), "merchant_key"+notString),
}

// signFirst signs the body before later edits, which the hash does not cover.
func signFirst(o object) { o["hash"] = o.sign(signature.MD5, gatewaytest.Password) }

// spoilHash changes the valid hash.
func spoilHash(change func(string) string) edit {
	return func(o object) {
		signFirst(o)
		o["hash"] = change(o.at("hash"))
	}
}
