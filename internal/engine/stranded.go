package engine

import (
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
)

// notifiedWithin is how long an acquirer that cannot be asked may take to send its notification, a bank transfer for
// one, before a person has to look.
const notifiedWithin = 7 * 24 * time.Hour

// stranded returns why a person has to decide about a transaction that waits, at an acquirer that cannot be asked; ""
// while the payer or a notification may still come. It never ends the wait: what comes later still counts.
func stranded(connector methods.Connector, t *records.Transaction, now time.Time) string {
	_, completes := connector.(methods.Completer)
	_, notified := connector.(methods.Notified)
	switch {
	case !completes && !notified:
		return "nothing can report how this ends: the connector completes no return, reads no notification, and cannot " +
			"be asked"
	case notified && now.Before(t.CreatedAt.Add(notifiedWithin)), completes && now.Before(linkEnds(t)):
		return ""
	case notified:
		return "no notification has come, and the acquirer cannot be asked"
	}
	return "the payer has not come back, and the acquirer cannot be asked"
}
