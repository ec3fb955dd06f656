package vcard

import (
	"cmp"
	"slices"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// SoftSetting names the setting of a MID at which 04/2038 is approved when its value is "off". It is the MID where
// a cascade ends.
const SoftSetting = "vcard_soft"

// testBrand is the method whose identifier alone decides (SPEC2, "Method behaviours").
const testBrand = "vcard"

// verdict is what the acquirer does with an operation that breaks no rule.
type verdict int

const (
	approve verdict = iota
	decline
	threeDS // the payer goes to the simulated 3-D Secure page
	bank    // the payer goes to the simulated bank page
	wait    // pending
	unseen  // not found until later
	show    // the payer sees how to pay, or is told to confirm
	inquire // the payer is asked for more
)

// plan is one row of the test cards, or a script's replacement for it.
type plan struct {
	verdict       verdict
	refused       bool          // the result of threeDS, bank and wait is a decline
	reason        string        // of a decline
	soft          bool          // of a decline
	lost          bool          // booked, but the answer is lost
	refuseCapture bool          // of an authorization: its captures are declined
	frictionless  bool          // 3-D Secure is done without the payer
	shortOnce     bool          // the first try of a later payment of a chain is declined softly
	after         time.Duration // when wait and unseen end by themselves; zero for never
}

// cards is the table of the package comment.
var cards = map[store.Expiry]plan{
	{Year: 2038, Month: 2}:  {verdict: decline, reason: reasonDeclined},
	{Year: 2038, Month: 3}:  {refuseCapture: true},
	{Year: 2038, Month: 4}:  {verdict: decline, reason: reasonSoft, soft: true},
	{Year: 2038, Month: 5}:  {verdict: threeDS},
	{Year: 2038, Month: 6}:  {verdict: threeDS, refused: true, reason: reasonDeclined},
	{Year: 2038, Month: 7}:  {verdict: wait, after: PendingFor},
	{Year: 2038, Month: 8}:  {verdict: wait, after: PendingFor, refused: true, reason: reasonDeclined},
	{Year: 2038, Month: 9}:  {verdict: unseen, lost: true},
	{Year: 2038, Month: 10}: {lost: true},
	{Year: 2038, Month: 11}: {verdict: unseen, lost: true, after: LateBy},
	{Year: 2038, Month: 12}: {verdict: bank},
	{Year: 2039, Month: 1}:  {frictionless: true},
	{Year: 2039, Month: 2}:  {shortOnce: true},
	{Year: 2039, Month: 12}: {verdict: bank, refused: true, reason: reasonDeclined},
}

// planOf reads the instrument of a charge. For a follow-up the rules of the ledger decide.
func planOf(op methods.Operation, can methods.Capabilities) plan {
	switch {
	case op.Kind == store.OpCalc:
		return planOfIdentifier(op)
	case !charges(op.Kind):
		return plan{}
	case op.AmountOpen:
		return planOfOpen(op)
	case op.Wallet != nil && !takesWallet(op, can):
		return plan{verdict: decline, reason: reasonWallet}
	case op.Card == nil:
		return planOfMethod(op).staying(op)
	case op.Card.PAN.IsZero():
		return plan{verdict: decline, reason: "Card number is missing"}
	case op.PayeeCard != nil && op.PayeeCard.PAN.IsZero():
		return plan{verdict: decline, reason: "Card number of the payee is missing"}
	}
	p := cards[op.Card.Expiry]
	if p.soft && op.MID.Settings[SoftSetting] == "off" {
		p = plan{}
	}
	return p.staying(op)
}

// takesWallet reports whether the wallet's token is one that was declared: a decrypted card with nothing but its
// cryptogram, or the token alone, which is authorized without capture only if that was declared.
func takesWallet(op methods.Operation, can methods.Capabilities) bool {
	if op.Card != nil {
		return can.Wallet == methods.WalletDecrypted && len(op.Wallet.Token) == 0
	}
	holds := op.Kind != store.OpAuth || can.WalletHolds || can.Wallet == methods.WalletStored
	return holds && len(op.Wallet.Token) > 0 && op.Wallet.Cryptogram.IsZero()
}

// attended reports whether a payer is present who may be sent to a page.
func attended(op methods.Operation) bool {
	return op.Kind != store.OpCredit && op.Authentication == methods.AuthPlatform
}

// staying replaces a page by its result when no payer may be sent to it, and leaves out 3-D Secure.
func (p plan) staying(op methods.Operation) plan {
	if attended(op) {
		return p
	}
	p.frictionless = false
	if !slices.Contains([]verdict{threeDS, bank, show, inquire}, p.verdict) {
		return p
	}
	p.verdict = approve
	if p.refused {
		p.verdict = decline
	}
	return p
}

// planOfOpen lets the payer choose the amount, whatever the method is.
func planOfOpen(op methods.Operation) plan {
	p := planOfIdentifier(op)
	switch {
	case p.verdict == decline:
		return p
	case op.Card != nil || !attended(op):
		return plan{verdict: decline, reason: reasonNobody}
	}
	return plan{verdict: show}
}

// planOfMethod plays the kinds of methods that are not a card. For the test brand and for payouts only the
// identifier decides, which can fail any other method too. A payout in crypto takes time to confirm.
func planOfMethod(op methods.Operation) plan {
	p := planOfIdentifier(op)
	switch {
	case p.verdict != decline && op.Kind == store.OpCredit && op.MethodKind == methods.KindCrypto:
		return plan{verdict: wait, after: PendingFor}
	case p.verdict == decline || op.Kind == store.OpCredit || op.Method == testBrand:
		return p
	case len(missing(op)) > 0:
		return plan{verdict: inquire}
	case collects(op): // a payer with the right one-time code has confirmed
		return p
	}
	switch op.MethodKind {
	case methods.KindRedirect, methods.KindVoucher:
		return plan{verdict: bank}
	case methods.KindQR, methods.KindDetails, methods.KindConfirmation, methods.KindLink, methods.KindCrypto:
		return plan{verdict: show}
	}
	return p
}

// planOfIdentifier lets the identifier decide, or the payer's e-mail address when none was sent (s2s_apm.md,
// "Testing").
func planOfIdentifier(op methods.Operation) plan {
	if cmp.Or(op.Identifier, texts(op)["identifier"], op.Payer.Email) == "fail@gmail.com" {
		return plan{verdict: decline, reason: reasonDeclined}
	}
	return plan{}
}

func (p plan) flow() string {
	switch {
	case p.verdict == threeDS:
		return flowChallenge
	case p.frictionless:
		return flowFrictionless
	}
	return ""
}
