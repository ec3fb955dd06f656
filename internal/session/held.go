package session

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/keys"
)

// RequeueHeld queues the card that a session holds for erasure.
func (q *Sessions) RequeueHeld(tx store.Tx, id string) error {
	s, err := records.Sessions.Get(tx, id)
	if err != nil || s.HeldUntil.IsZero() {
		return err
	}
	was := s.HeldUntil
	s.HeldUntil = q.Now()
	s.Version++
	return errors.Join(records.HeldQueue.Move(tx, s.ID, s.ID, was, s.HeldUntil), records.Sessions.Put(tx, s, id))
}

// ClaimHeld erases the cards of hosted sessions that ended without charging them.
func (q *Sessions) ClaimHeld(ctx context.Context, limit int) ([]func(context.Context), error) {
	erased := 0
	var lost due.Asides
	err := q.update(ctx, func(tx store.Tx) error {
		erased, lost = 0, nil
		return q.Queues.Each(tx, records.HeldQueue, store.WorkExpiry, limit, &lost, func(id string) error {
			s, err := records.Sessions.Get(tx, id)
			if err != nil {
				return err
			}
			if err := records.HeldQueue.Move(tx, s.ID, s.ID, s.HeldUntil, time.Time{}); err != nil {
				return err
			}
			s.HeldCard, s.HeldUntil = nil, time.Time{}
			s.Version++
			erased++
			return records.Sessions.Put(tx, s, s.ID)
		})
	})
	if err != nil {
		return nil, err
	}
	q.Queues.ReportAsides(ctx, lost)
	done := make([]func(context.Context), erased) // counted as work that is already done
	for i := range done {
		done[i] = func(context.Context) {}
	}
	return due.Counted(done, len(lost)), nil
}

// heldCard is a card as the fields collected it.
type heldCard struct {
	Number string       `json:"n"`
	Expiry store.Expiry `json:"e"`
	Code   string       `json:"c,omitempty"`
}

// SealCard seals a card under the token of its session.
func SealCard(token string, card *methods.Card, random io.Reader) ([]byte, error) {
	plain, err := json.Marshal(heldCard{card.PAN.Digits(), card.Expiry, card.Code.Digits()})
	if err != nil {
		return nil, err
	}
	defer vault.Wipe(plain)
	id, secret, ok := links.Split(token)
	if !ok {
		return nil, refusal.ErrToken
	}
	return vault.SealHeld(secret, vault.HostedCard, id, random, plain)
}

// HoldCard stores a sealed card in place of an earlier one, until the session expires.
func HoldCard(tx store.Tx, s *store.Session, sealed []byte) error {
	if err := records.HeldQueue.Move(tx, s.ID, s.ID, s.HeldUntil, s.ExpiresAt); err != nil {
		return err
	}
	s.HeldCard, s.HeldUntil = sealed, s.ExpiresAt
	s.Version++
	return records.Sessions.Put(tx, *s, s.ID)
}

// DropCard erases the card that a session has collected, if any.
func DropCard(tx store.Tx, token string, now time.Time) error {
	s, _, err := LoadHosted(tx, token, now)
	if err != nil || s.HeldCard == nil {
		return err
	}
	s.HeldCard = nil
	s.Version++
	return records.Sessions.Put(tx, *s, s.ID)
}

// OpenCard opens the collected card.
func OpenCard(s *store.Session, secret []byte, holder string) (*methods.Card, error) {
	plain, err := vault.OpenHeld(secret, vault.HostedCard, s.ID, s.HeldCard)
	if err != nil {
		return nil, err
	}
	defer vault.Wipe(plain)
	var held heldCard
	if json.Unmarshal(plain, &held) != nil {
		return nil, keys.ErrBroken
	}
	card := &methods.Card{Expiry: held.Expiry, Holder: holder}
	if card.PAN, err = store.ParsePAN(held.Number); err != nil {
		return nil, keys.ErrBroken
	}
	card.Code, _ = store.ParseSecurityCode(held.Code)
	return card, nil
}
