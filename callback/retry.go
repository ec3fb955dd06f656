package callback

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// MaxRetryAfter is the longest wait that a merchant can ask for with Retry-After. It is the longest step of the
// default schedule, so that no answer can stop a delivery for good.
const MaxRetryAfter = 10 * time.Hour

// Schedule lists the waits between the attempts to deliver one callback: the first entry is the wait
// after the first attempt. A nil Schedule stands for DefaultSchedule; an empty one that is not nil
// means a single attempt. The schedule is our own (decision g): the specification names none.
type Schedule []time.Duration

// DefaultSchedule is 5 s, 1 min, 5 min, 30 min, 2 h, 5 h and six times 10 h: thirteen attempts within
// 67 h 36 min, close to three days.
func DefaultSchedule() Schedule {
	return Schedule{
		5 * time.Second, time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
		10 * time.Hour, 10 * time.Hour, 10 * time.Hour, 10 * time.Hour, 10 * time.Hour, 10 * time.Hour,
	}
}

// Next returns when to try again after the given attempt (1 for the first) failed at now. retryAfter is
// Receipt.RetryAfter: it can lengthen the wait, up to MaxRetryAfter, never shorten it. When ok is false the
// schedule is used up, and the callback is dead until it is sent by hand.
func (s Schedule) Next(attempt int, now time.Time, retryAfter time.Duration) (at time.Time, ok bool) {
	if s == nil {
		s = DefaultSchedule()
	}
	if attempt > len(s) || len(s) == 0 {
		return time.Time{}, false
	}
	wait := s[max(attempt, 1)-1]
	return now.Add(max(wait, min(retryAfter, MaxRetryAfter), 0)), true
}

// ParseRetryAfter reads a Retry-After header (RFC 9110, 10.2.3): seconds, or an HTTP date, which is
// measured from now. The result lies between 0 and limit. Anything else, a negative number or a date in
// the past gives 0.
func ParseRetryAfter(value string, now time.Time, limit time.Duration) time.Duration {
	value = strings.TrimSpace(value)
	if value != "" && strings.Trim(value, "0123456789") == "" {
		return secondsUpTo(value, limit)
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return max(0, min(at.Sub(now), limit))
}

// secondsUpTo compares before it multiplies, because a large number of seconds would overflow a Duration.
func secondsUpTo(digits string, limit time.Duration) time.Duration {
	seconds, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || seconds > uint64(max(limit, 0)/time.Second) {
		return max(limit, 0)
	}
	return time.Duration(seconds) * time.Second
}
