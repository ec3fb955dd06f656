package recurring

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// replanBatch is how many chains one transaction plans again.
const replanBatch = 100

// queueReplan queues a schedule so that Tick plans its chains again. The caller stores the record.
func queueReplan(tx store.Tx, s *records.Schedule) error {
	s.Plan++
	s.PlanFrom = s.UpdatedAt
	return moveSchedule(tx, s, s.UpdatedAt)
}

func moveSchedule(tx store.Tx, s *records.Schedule, at time.Time) error {
	was, entry := s.PlanAt, records.DueSchedule+s.MerchantID+"/"+s.ID
	s.PlanAt = at
	_, err := due.Unlist(tx, store.WorkSchedule, entry)
	return errors.Join(err, records.MoveEntry(tx, records.DueQueue, s.MerchantID, entry, was, at))
}

func leaseSchedule(tx store.Tx, merchant, id string, until time.Time) error {
	s, err := records.Schedules.Get(tx, merchant, id)
	if err != nil {
		return err
	}
	return errors.Join(moveSchedule(tx, &s, until), records.Schedules.Put(tx, s, merchant, id))
}

// replan plans the chains on a schedule again, in batches; after an interruption it starts from the beginning. A
// schedule that was deleted after the claim has no chains.
func (a *Agreements) replan(ctx context.Context, merchant, id string) error {
	set, err := a.stored(ctx, merchant, id)
	if records.Absent(err) {
		return nil
	} else if err != nil {
		return err
	}
	for from := []byte{}; from != nil; {
		var next []byte
		err := a.update(ctx, func(tx store.Tx) (err error) {
			next, err = a.replanSome(tx, set, from)
			return err
		})
		if err != nil {
			return err
		}
		from = next
	}
	return nil
}

func (a *Agreements) stored(ctx context.Context, merchant, id string) (set *records.Schedule, err error) {
	err = a.Store.View(ctx, func(r store.Reader) error {
		found, err := records.Schedules.Get(r, merchant, id)
		set = &found
		return err
	})
	return set, err
}

// replanSome plans one batch of chains by the current schedule, and returns where the next batch begins. After the
// last batch it ends the work, unless the schedule has changed in the meantime: then it is due again anyway.
func (a *Agreements) replanSome(tx store.Tx, began *records.Schedule, from []byte) (next []byte, err error) {
	set, err := records.Schedules.Get(tx, began.MerchantID, began.ID)
	if records.Absent(err) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	tokens, next, err := members(tx, &set, from)
	if err != nil {
		return nil, err
	}
	for _, token := range tokens {
		if err := a.replanChain(tx, &set, token); err != nil {
			return nil, err
		}
	}
	if len(tokens) == replanBatch {
		return next, nil
	}
	if set.Plan == began.Plan {
		err = errors.Join(moveSchedule(tx, &set, time.Time{}), records.Schedules.Put(tx, set, set.MerchantID, set.ID))
	}
	return nil, err
}

func (a *Agreements) replanChain(tx store.Tx, set *records.Schedule, token string) error {
	chain, err := records.Chains.Get(tx, set.MerchantID, token)
	if err != nil || chain.ScheduleID != set.ID || chain.Plan == nil || chain.Plan.Made == set.Plan || set.Paused {
		return err // nothing to plan yet, or not by this schedule
	}
	chain.Plan.Renew(set, startDate(&chain), a.Now())
	return errors.Join(requeueChain(&chain, tx, chain.Plan.Starts(set)),
		records.Chains.Put(tx, chain, chain.MerchantID, token))
}

// members reads the tokens of the next chains on a schedule, and where to continue.
func members(r store.Reader, s *records.Schedule, from []byte) (tokens []string, next []byte, err error) {
	for entry := range r.Scan(store.Range{Prefix: records.KeyOfMember(s.MerchantID, s.ID), From: from,
		Limit: replanBatch}) {
		if entry.Err != nil {
			return nil, nil, entry.Err
		}
		parts, err := store.SplitKey(entry.Key)
		if err != nil {
			return nil, nil, fmt.Errorf("a chain on schedule %s: %w", s.ID, err)
		}
		tokens = append(tokens, parts[len(parts)-1])
		next = append(append([]byte{}, entry.Key...), 0)
	}
	return tokens, next, nil
}
