package callback

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/internal/thrown"
	"github.com/tollgatepay/gateway/store"
)

// maxTarget bounds a target that is no URL, in bytes.
const maxTarget = 255

// Sinks are notifiers for targets that are no URL, by the scheme of the target: "queue" has queue:orders. A scheme is
// in lower case, begins with a letter, and has up to 32 of a to z, 0 to 9 and +.- (RFC 3986).
type Sinks map[string]Notifier

// Faults returns what is wrong with the sinks.
func (s Sinks) Faults() (faults []error) {
	scheme := regexp.MustCompile(`^[a-z][a-z0-9+.-]{0,31}$`)
	for _, name := range slices.Sorted(maps.Keys(s)) {
		switch {
		case sinkOf(name+":") == "" && name != "":
			faults = append(faults, fmt.Errorf("%q is for URLs, not for a sink", name))
		case !scheme.MatchString(name):
			faults = append(faults, fmt.Errorf(`%q is no scheme in lower case, like "queue"`, name))
		case s[name] == nil:
			faults = append(faults, fmt.Errorf("%q has no notifier", name))
		}
	}
	return faults
}

// Takes reports a target of one of the sinks: its scheme, a colon, and a name in printable ASCII without space, card
// number or password; up to 255 bytes.
func (s Sinks) Takes(target string) bool {
	scheme, name, ok := strings.Cut(target, ":")
	if u, err := url.Parse(target); err != nil || u.User != nil { // a password would be shown in logs and to operators
		return false
	}
	unprintable := func(r rune) bool { return r <= ' ' || r > '~' }
	return ok && s[scheme] != nil && name != "" && len(target) <= maxTarget &&
		!strings.ContainsFunc(name, unprintable) && !store.HoldsPAN(name)
}

// Wanted says what the target of a merchant has to be.
func (s Sinks) Wanted() string {
	text := "must be an absolute http or https URL"
	if len(s) > 0 {
		text += ", or begin with " + strings.Join(slices.Sorted(maps.Keys(s)), ": or ") + ":"
	}
	return text
}

// Beside returns the notifier of all targets: URLs go to the one given, others to their sinks. A stored target whose
// sink is missing here is refused and logged: another instance is configured with it, or was.
func (s Sinks) Beside(urls Notifier, log *slog.Logger) Notifier { return sorter{s, urls, log} }

type sorter struct {
	sinks Sinks
	urls  Notifier
	Log   *slog.Logger
}

func (n sorter) Deliver(ctx context.Context, d Delivery) Receipt {
	scheme := sinkOf(d.URL)
	if scheme == "" {
		return n.deliver(ctx, n.urls, d)
	}
	if sink := n.sinks[scheme]; sink != nil {
		return n.deliver(ctx, sink, d)
	}
	n.Log.Error("a callback has no notifier: its sink is not configured", "callback", d.ID, "sink", scheme)
	return Receipt{Verdict: Refused, Detail: fmt.Sprintf("no notifier for the sink %q", scheme)}
}

// deliver survives a notifier that panics: the callback is tried again, and the others are delivered.
func (n sorter) deliver(ctx context.Context, to Notifier, d Delivery) (r Receipt) {
	defer func() {
		if fault := recover(); fault != nil {
			n.Log.Error("a notifier panicked", "callback", d.ID, "fault", thrown.Kind(fault))
			r = Receipt{Verdict: Refused, Detail: "the notifier panicked"}
		}
	}()
	return to.Deliver(ctx, d)
}

// sinkOf returns the scheme of a target that is no http or https URL; nothing for a URL.
func sinkOf(target string) string {
	scheme, _, ok := strings.Cut(target, ":")
	if !ok || strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https") {
		return ""
	}
	return scheme
}
