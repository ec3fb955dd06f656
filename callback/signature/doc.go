// Package signature computes and checks every hash of the wire protocols: of requests, of callbacks and of the
// payer's return links. The platform uses it, and a merchant's Go program can use it too.
//
// # Formulas
//
// A [Formula] is a row of a table: which inputs, in which order, which of them reversed, and where the password
// is. Each constant has its formula in this notation:
//
//	a . b            a followed by b; nothing separates them
//	rev(a . b)       the bytes of a . b, last one first
//	upper(a)         a in capital letters
//	card             the first six and the last four digits of the card number
//	H(a)             lower-case hex of the MD5 of a, or of its SHA-256 in [SHA256] mode
//	sha1(H(a))       lower-case hex of the SHA-1 of that hex text; Checkout only, in both modes
//
// An optional input that is empty is left out. With Checkout the password is inside upper, so its letter case does
// not count. Sources: SPEC1, "Authentication"; SPEC2, "Authentication"; checkout.md, "Hash formulas"; s2s_card.md,
// "Hash formulas"; s2s_apm.md, "Hash formulas"; callbacks.md, "Signature formulas (callback direction)".
//
// # Capital letters
//
// The sources disagree on upper, so [Sign] and [Verify] differ (decisions a and l). Sign takes A to Z only. Verify
// also accepts the capitals of all of Unicode, where ß becomes SS. A byte that is not UTF-8, which reversing may
// leave, is not changed. Where an APM formula has the password outside upper, Sign uses it unchanged, and Verify
// also accepts it in capitals.
//
// # Limits
//
// Nothing separates the inputs, so amount 1 with currency 0USD has the same hash as amount 10 with currency USD,
// and descriptions that differ only in letter case have one hash. Check the form of every input before relying on
// a hash. MD5 and SHA-1 are the protocol's choice; in a program run with GODEBUG=fips140=only they are not
// available and make this package panic.
package signature
