package crash

import "time"

// burst is 8 to 32 people at once. It returns when the first of them sends a request.
func (w *world) burst() {
	first := make(chan struct{}, 1)
	clerks := 20
	if w.dice.chance(25) {
		clerks = 90
	}
	for range 8 + w.dice.intN(25) {
		run := w.clerk
		if !w.dice.chance(clerks) {
			run = w.newShopper().run
		}
		w.people.Go(func() {
			select {
			case first <- struct{}{}:
			default:
			}
			run()
		})
	}
	<-first
}

func (w *world) newShopper() *shopper {
	switch {
	case w.dice.chance(15):
		s := w.newHosted(w.wallet()...)
		s.tarry = w.dice.chance(50)
		return s
	case w.dice.chance(12):
		return w.newChain([]string{settles, settles, unheard, late}[w.dice.intN(4)], settles)
	}
	s := &shopper{w: w, order: w.newOrder(w.dice.chance(30)), cards: w.wallet()}
	s.twice, s.tarry = w.dice.chance(15), w.dice.chance(70)
	if w.dice.chance(15) {
		s.hangUp = w.dice.between(time.Millisecond, 20*time.Millisecond)
	}
	return s
}

// wallet is the cards of a shopper: often one that works at once, otherwise one with a special outcome and a second
// one.
func (w *world) wallet() []string {
	stories := []string{
		declines, funds, threeDS, threeDS, threeDS, threeDS, threeDSNo, pending, pendingNo, unarrived, unheard, late, bank,
		bankNo,
	}
	if w.dice.chance(40) {
		return []string{settles, settles}
	}
	return []string{stories[w.dice.intN(len(stories))], settles, settles}
}
