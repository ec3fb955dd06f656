package due

import (
	"log/slog"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// sayAgain is how long claims fail in the same way before that is logged once more.
const sayAgain = time.Minute

// Outage logs the claims of a kind that fail: the first, those that fail in another way, and one a minute, because a
// store that is away fails each second. It logs, too, that they succeed again.
type Outage struct {
	Log  *slog.Logger
	Work store.Work
	said string // of the error that was logged last; empty while claims succeed
	at   time.Time
}

// Note takes how a claim ended.
func (o *Outage) Note(err error, now time.Time) {
	switch {
	case err == nil && o.said != "":
		o.Log.Info("due work is claimed again", "work", o.Work)
		o.said = ""
	case err != nil && (err.Error() != o.said || now.Sub(o.at).Abs() >= sayAgain):
		o.Log.Error("due work could not be claimed", "work", o.Work, "error", err)
		o.said, o.at = err.Error(), now
	}
}
