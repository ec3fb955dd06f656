package vcard

import (
	"errors"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// credentialMark begins the reference of a registered card; the reference of the charge that registered it
// follows.
const credentialMark = "SC-"

const reasonCredential = "Stored card is not known"

// registers reports whether a charge registers its card as stored: the MID does so, and the card is not registered
// yet.
func registers(op methods.Operation) bool {
	return op.MID.COF && op.COF != (store.COF{}) && op.Credential == "" && op.Card != nil
}

// credential returns the reference of a registered card for the approval.
func (e Entry) credential() string {
	if e.Registers {
		return credentialMark + e.Reference
	}
	return e.Credential
}

// uses returns why a charge cannot use the reference of a registered card, or nothing. It cannot when no approved
// charge at the same MID has registered it.
func (b books) uses(r store.Reader, op methods.Operation, now time.Time) (reason string, err error) {
	if op.Credential == "" {
		return "", nil
	}
	reference, marked := strings.CutPrefix(op.Credential, credentialMark)
	first, err := b.byReference(r, reference)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return reasonCredential, nil
	case err != nil:
		return "", err
	}
	if known := marked && first.Registers && first.MID == op.MID.ID && first.at(now).State == StateApproved; !known {
		return reasonCredential, nil
	}
	return "", nil
}
