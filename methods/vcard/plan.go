package vcard

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// What a merchant and a payer read of a decline.
const (
	reasonDeclined = "Declined by processing"
	reasonFunds    = "Insufficient funds"
	reasonNoPayer  = "Payer did not finish"
	reasonNo3DS    = "3-D Secure authentication failed"
	reasonLeft     = "Payer cancelled at the bank"
	reasonUnpaid   = "Not paid in time"
	reasonRefused  = "Payer refused to pay"
	reasonCode     = "One-time code is wrong"
)

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
	show    // the payer is shown how to pay, or told to confirm
	inquire // the payer is asked for more
)

// plan is one row of the test cards, or a script's replacement for it.
type plan struct {
	verdict       verdict
	refused       bool          // what threeDS, bank and wait come to is a decline
	reason        string        // of a decline
	soft          bool          // of a decline
	lost          bool          // booked, but the answer gets lost
	refuseCapture bool          // of an authorization: its captures are declined
	after         time.Duration // when wait and unseen move on by themselves; zero for never
}

// cards is the table of the package comment.
var cards = map[store.Expiry]plan{
	{Year: 2038, Month: 2}:  {verdict: decline, reason: reasonDeclined},
	{Year: 2038, Month: 3}:  {refuseCapture: true},
	{Year: 2038, Month: 4}:  {verdict: decline, reason: reasonFunds, soft: true},
	{Year: 2038, Month: 5}:  {verdict: threeDS},
	{Year: 2038, Month: 6}:  {verdict: threeDS, refused: true, reason: reasonDeclined},
	{Year: 2038, Month: 7}:  {verdict: wait, after: PendingFor},
	{Year: 2038, Month: 8}:  {verdict: wait, after: PendingFor, refused: true, reason: reasonDeclined},
	{Year: 2038, Month: 9}:  {verdict: unseen, lost: true},
	{Year: 2038, Month: 10}: {lost: true},
	{Year: 2038, Month: 11}: {verdict: unseen, lost: true, after: LateBy},
	{Year: 2038, Month: 12}: {verdict: bank},
	{Year: 2039, Month: 12}: {verdict: bank, refused: true, reason: reasonDeclined},
}

// planOf reads the instrument of a charge. What acts on a charge is planned by the ledger's rules.
func (c *Connector) planOf(op methods.Operation) plan {
	if !charges(op.Kind) {
		return plan{}
	}
	if op.Card == nil {
		return planOfMethod(op).staying(op)
	}
	if op.Card.PAN.IsZero() {
		return plan{verdict: decline, reason: "Card number is missing"}
	}
	return cards[op.Card.Expiry].staying(op)
}

// staying replaces a page by what it would come to, where nobody may be sent to it.
func (p plan) staying(op methods.Operation) plan {
	sends := slices.Contains([]verdict{threeDS, bank, show, inquire}, p.verdict)
	if !sends || op.Kind != store.OpCredit && op.Authentication == methods.AuthPlatform {
		return p
	}
	p.verdict = approve
	if p.refused {
		p.verdict = decline
	}
	return p
}

// planOfMethod plays the kinds of methods that are not a card. The test brand and payouts know only its
// identifier, which fails any other method as well.
func planOfMethod(op methods.Operation) plan {
	p := planOfIdentifier(op)
	switch {
	case p.verdict == decline || op.Kind == store.OpCredit || op.Method == testBrand:
		return p
	case len(missing(op)) > 0:
		return plan{verdict: inquire}
	case collects(op): // who has given the right one-time code has confirmed
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

func planOfIdentifier(op methods.Operation) plan {
	var sent struct {
		Identifier string `json:"identifier"`
	}
	// Parameters of other methods are none of its business, whatever they hold.
	_ = json.Unmarshal(op.Parameters, &sent)
	if sent.Identifier == "" {
		sent.Identifier = op.Payer.Email
	}
	if sent.Identifier == "fail@gmail.com" {
		return plan{verdict: decline, reason: reasonDeclined}
	}
	return plan{}
}

func charges(kind store.Operation) bool {
	switch kind {
	case store.OpSale, store.OpAuth, store.OpDebit, store.OpTransfer, store.OpCredit:
		return true
	}
	return false
}
