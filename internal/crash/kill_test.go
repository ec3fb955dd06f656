package crash

import "time"

// daysOfAll is how many days go by while gateways are killed: fewer than callbacks and signatures are kept.
const daysOfAll = 25

// killOften is the bursts and the kills, 5 to 65 ms after the first request of each: every other child by itself,
// at a point that was drawn, if it comes there in time. Some children are killed as they come up or in their
// first work, some are stopped for a while before. The clocks move on between two children, so that recovery and
// redeliveries run, and are killed, too; now and then by a day, so that scheduled payments fall due.
func (w *world) killOften(kills int) {
	w.t.Helper()
	w.restart()
	w.createSchedule()
	for range 10 { // so that there is something to refund from the start
		w.people.Go(w.newBuyer(w.dice.chance(50), settles).run)
	}
	w.people.Wait()
	everyDay := max(5, kills/daysOfAll)
	for i := range kills {
		time.Sleep(w.dice.upTo(100 * time.Millisecond)) // for those whose answers were lost
		w.burst()
		if stops(i) {
			time.Sleep(w.dice.between(5*time.Millisecond, 65*time.Millisecond))
			w.stopChild(func() {})
			time.Sleep(w.dice.upTo(300 * time.Millisecond)) // it catches up, or is killed over it
		}
		w.dieWithin(w.dice.between(5*time.Millisecond, 65*time.Millisecond))
		if i%everyDay == 0 {
			w.checkFile()
		}
		w.clock.advance(w.dice.upTo(40 * time.Second))
		if i%everyDay == everyDay-1 {
			w.clock.advance(25 * time.Hour)
		}
		if i%8 == 7 {
			w.killAtStart()
		}
		armed := i < kills-1 && !stops(i+1) // the last one is not to die
		w.launchNext(armed && w.dice.chance(50))
	}
}

// launchNext starts the next child, armed or not. An armed one may die as it comes up; then another comes.
func (w *world) launchNext(armed bool) {
	w.t.Helper()
	if !armed {
		w.restart()
		return
	}
	select {
	case <-w.child.launch(w.t, envAt+"="+w.randomPoint(25)):
		w.greet()
	case <-w.child.gone:
		w.child.kill(w.t)
		w.restart()
	}
}

// dieWithin waits for an armed child to die, and kills it when it does not.
func (w *world) dieWithin(d time.Duration) {
	w.t.Helper()
	select {
	case <-w.child.gone:
	case <-time.After(d):
	}
	w.child.kill(w.t)
}

// killAtStart kills a child that has just been started after a crash: at a point of its first work, or later.
func (w *world) killAtStart() {
	w.t.Helper()
	before := len(w.spots())
	w.child.launch(w.t, envAt+"="+w.randomPoint(6))
	w.dieWithin(w.dice.upTo(120 * time.Millisecond))
	w.pairs += len(w.spots()) - before
}

// stops reports the cycles in which the child is stopped before it is killed.
func stops(cycle int) bool { return cycle%40 == 20 }
