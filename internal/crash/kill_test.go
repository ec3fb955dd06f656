package crash

import "time"

// daysOfAll is how many days pass while gateways are killed: fewer than callbacks and signatures are kept.
const daysOfAll = 25

// killOften makes the bursts and kills the gateway 5 to 65 ms after the first request of each. Every other child
// kills itself at a random point, if it gets there in time. Some children are killed as they start or in their
// first work; some are stopped for a while before. The clock moves on between two children, so that recovery and
// redeliveries run and are killed too; sometimes by a day, so that scheduled payments are due.
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
		w.beside.strike(w, i)
		if stops(i) {
			time.Sleep(w.dice.between(5*time.Millisecond, 65*time.Millisecond))
			w.stopChild(func() {})
			time.Sleep(w.dice.upTo(300 * time.Millisecond)) // the child catches up, or is killed meanwhile
		}
		w.dieWithin(w.dice.between(5*time.Millisecond, 65*time.Millisecond))
		if i%everyDay == 0 {
			w.checkFile()
		}
		w.advance(w.dice.upTo(40 * time.Second))
		if i%everyDay == everyDay-1 {
			w.advance(25 * time.Hour)
		}
		if i%8 == 7 {
			w.killAtStart()
		}
		armed := i < kills-1 && !stops(i+1) // the last one must not die
		w.launchNext(armed && w.dice.chance(50))
	}
}

// launchNext starts the next child, armed or not. An armed one may die as it starts; then another is started.
func (w *world) launchNext(armed bool) {
	w.t.Helper()
	if !armed {
		w.restart()
		return
	}
	select {
	case <-w.child.launch(w.t, envAt+"="+w.randomPoint(25)):
		w.wakeWaiters()
	case <-w.child.gone:
		w.child.kill(w.t)
		w.restart()
	}
}

// dieWithin waits for an armed child to die, and kills it if it does not.
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
