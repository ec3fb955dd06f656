package crash

import "time"

// scene is a kind of load for one child. The people in it continue when the child dies.
type scene struct {
	name  string
	chain bool // there is a schedule
	play  func(w *world) error
	must  []string // calls of ports at which a child must have died, before and after
}

// scenes are all kinds of load.
var scenes = []scene{
	{"sale", false, pays(false, nil, declines, threeDS, settles), []string{"store", "connector perform SALE", "connector complete SALE", "notifier sale"}},
	{"capture", false, pays(true, then("capture", "3.00"), settles), []string{"store", "connector perform AUTH", "connector perform CAPTURE", "notifier capture"}},
	{"reversal", false, pays(true, then("refund", ""), settles), []string{"store", "connector perform REVERSAL", "notifier refund"}},
	{"refund", false, pays(false, then("refund", "3.00"), settles), []string{"store", "connector perform REFUND", "notifier refund"}},
	{"void", false, pays(false, then("void", ""), settles), []string{"store", "connector perform VOID", "notifier void"}},
	{"scheduled", true, playSchedule, []string{"store", "connector perform SALE", "notifier recurring"}},
	{"hosted", false, playHosted, []string{"store", "connector perform SALE", "connector complete SALE", "notifier sale"}},
	{"recovery", false, playRecovery, []string{"store", "connector find SALE", "notifier sale"}},
}

// then is a follow-up once the order is paid; without an amount, a refund is of all of it.
func then(kind, amount string) func(*world, *order) {
	return func(w *world, o *order) {
		much := amount
		if kind == "refund" && amount == "" {
			much = o.Amount
		}
		w.followUp(kind, o.Paid, much)
	}
}

func pays(hold bool, after func(*world, *order), cards ...string) func(*world) error {
	return func(w *world) error {
		s := w.newBuyer(hold, cards...)
		s.run()
		if s.order.Paid != "" && after != nil {
			after(w, s.order)
		}
		_, err := w.client.work()
		return err
	}
}

// playSchedule advances the clock over the days on which a chain's payments are due.
func playSchedule(w *world) error {
	w.newChain(settles, settles).run()
	for range occurrences {
		w.clock.advance(24 * time.Hour)
		if _, err := w.client.work(); err != nil {
			return err
		}
	}
	return nil
}

func playHosted(w *world) error {
	w.newHosted(declines, threeDS).run()
	_, err := w.client.work()
	return err
}

// playRecovery leaves a charge whose answer was lost, and asks for it when that is due.
func playRecovery(w *world) error {
	w.newBuyer(false, unheard).run()
	if _, err := w.client.work(); err != nil {
		return err
	}
	w.clock.advance(startTime * 4)
	_, err := w.client.work()
	return err
}

func (w *world) newBuyer(hold bool, cards ...string) *shopper {
	return &shopper{w: w, order: w.newOrder(hold), cards: cards}
}
