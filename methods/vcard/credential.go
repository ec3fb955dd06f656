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

// registers reports a charge by which a card is registered as stored: the MID does that, and it is not yet.
func registers(op methods.Operation) bool {
	return op.MID.COF && op.COF != (store.COF{}) && op.Credential == "" && op.Card != nil
}

// credential is what an approval says of a registered card.
func (e Entry) credential() string {
	if e.Registers {
		return credentialMark + e.Reference
	}
	return e.Credential
}

// uses says why a charge cannot refer to a registered card, or nothing: no approved charge at the same MID has
// registered it.
func (c *Connector) uses(r store.Reader, op methods.Operation, now time.Time) (reason string, err error) {
	if op.Credential == "" {
		return "", nil
	}
	reference, marked := strings.CutPrefix(op.Credential, credentialMark)
	first, err := c.books.byReference(r, reference)
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
