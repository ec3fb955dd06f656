package callback

import (
	"slices"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// Noted is a callback that this instance has queued itself.
type Noted struct {
	ID, MerchantID, URL string
	At                  time.Time // when it was noted
}

// NotedFor is how long a desk keeps a noted callback. After that any instance may find it in the queue, so that a desk
// which still claimed it by its key would often come second.
const NotedFor = time.Second / 2

// A desk remembers so many callbacks of all merchants, and so many of one. When it is full, a merchant of whom it
// remembers nothing may still bring one, up to twice as many in all. The others are found in the queue.
const (
	maxNoted           = 16 << 10
	maxNotedOfMerchant = 1 << 10
)

// maxPassed bounds how many callbacks of a merchant are passed over, because their hosts have their share.
const maxPassed = 64

// noted are the callbacks that a desk remembers. Merchants take turns.
type noted struct {
	of    map[string][]notedTo // by merchant, the oldest first
	turns []string             // the merchants
	all   int
}

// notedTo is a callback of a merchant. Its host is read from the URL once, not at each turn in which it has to wait.
type notedTo struct {
	id, host string
	at       time.Time
}

// add remembers a callback if there is room.
func (n *noted) add(c Noted, host string) {
	list, most := n.of[c.MerchantID], maxNoted
	if len(list) == 0 {
		most *= 2
	}
	if n.all >= most || len(list) >= maxNotedOfMerchant {
		return
	}
	if len(list) == 0 {
		n.turns = append(n.turns, c.MerchantID)
	}
	n.of[c.MerchantID] = append(list, notedTo{c.ID, host, c.At})
	n.all++
}

// take removes up to limit callbacks that may go now, one of each merchant in turn, and returns their ids. It forgets
// those that were noted before since. A spot has the host alone for its lane.
func (n *noted) take(limit int, since time.Time, guard store.Guard) (taken []string) {
	passed := 0 // merchants in a row that have nothing to take
	for len(taken) < limit && passed < len(n.turns) {
		merchant := n.turns[0]
		n.turns = append(n.turns[1:], merchant)
		if n.forget(merchant, since); len(n.of[merchant]) == 0 {
			continue
		}
		passed++
		if at := n.first(merchant, guard); at >= 0 {
			c := n.of[merchant][at]
			guard.Took(store.Spot{Group: merchant, Lane: c.host})
			taken = append(taken, c.id)
			n.remove(merchant, at)
			passed = 0
		}
	}
	return taken
}

// forget removes what was noted before a time of the merchant whose turn is last.
func (n *noted) forget(merchant string, before time.Time) {
	for list := n.of[merchant]; len(list) > 0 && list[0].at.Before(before); list = n.of[merchant] {
		n.remove(merchant, 0)
	}
}

// first returns the place of a merchant's first callback that may go, or -1.
func (n *noted) first(merchant string, guard store.Guard) int {
	if !guard.Group(merchant) {
		return -1
	}
	list := n.of[merchant]
	for i := range list[:min(len(list), maxPassed)] {
		if guard.Lane(store.Spot{Group: merchant, Lane: list[i].host}) {
			return i
		}
	}
	return -1
}

// remove removes a callback of the merchant whose turn was last.
func (n *noted) remove(merchant string, at int) {
	n.all--
	if list := slices.Delete(n.of[merchant], at, at+1); len(list) > 0 {
		n.of[merchant] = list
		return
	}
	delete(n.of, merchant)
	n.turns = n.turns[:len(n.turns)-1]
}
