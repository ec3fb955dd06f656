package store

import (
	"errors"
	"slices"
	"strconv"
	"time"
)

// PaymentRecord is a payment as it is stored, for the gateway alone: whole, so that every step reads and writes one
// record. The fields that most records have get short names in it, because what a store writes is what a payment costs.
//
// Its transactions are records too, of which those of Payment are the embedded parts: each is in both lists, at the
// same place, and only Place, SetTransaction and reading a record change the lists.
type PaymentRecord struct {
	Payment
	Transactions []*TransactionRecord `json:"t" add:"add"`
	// Signature is that of a payout: its hash, so that it pays once.
	Signature string   `json:"signature,omitempty" after:"test"`
	Callbacks int      `json:"cb,omitempty" after:"charge"`  // how many callbacks were queued
	OwnURL    bool     `json:"own_url,omitempty" after:"u"`  // the request named it; scheduled payments keep it
	Tried     []string `json:"tried,omitempty" after:"next"` // MIDs of the earlier attempts
}

// ChargeTransaction returns the transaction of ChargeID; nil for a payment that is not stored yet.
func (p *PaymentRecord) ChargeTransaction() *TransactionRecord { return p.Transaction(p.ChargeID()) }

// Transaction returns the transaction with an id; nil if the payment has none.
func (p *PaymentRecord) Transaction(id string) *TransactionRecord {
	if i := p.indexOf(id); i >= 0 {
		return p.Transactions[i]
	}
	return nil
}

func (p *PaymentRecord) indexOf(id string) int {
	return slices.IndexFunc(p.Transactions, func(t *TransactionRecord) bool { return t != nil && t.ID == id })
}

// SetTransaction is Place with a copy of the transaction.
func (p *PaymentRecord) SetTransaction(t *TransactionRecord) {
	stored := *t
	p.Place(&stored)
	t.Transaction = stored.Transaction // with its number and place
}

// Place numbers a transaction and puts it in the place of the one with its id, or behind all others. It is part of the
// payment from then on. Copies of a payment share transactions, but not their lists.
func (p *PaymentRecord) Place(t *TransactionRecord) {
	i := p.indexOf(t.ID)
	switch {
	case i == 0 && len(p.Transactions) == 1 || len(p.Transactions) == 0:
		i = 0
		p.placeOnly(t)
	case i < 0:
		i = len(p.Transactions)
		p.Transactions = append(slices.Clip(p.Transactions), t)
		p.Payment.Transactions = append(slices.Clip(p.Payment.Transactions), &t.Transaction)
	default:
		p.Transactions, p.Payment.Transactions = slices.Clone(p.Transactions), slices.Clone(p.Payment.Transactions)
		p.Transactions[i], p.Payment.Transactions[i] = t, &t.Transaction
	}
	t.of(&p.Payment, i)
}

// placeOnly makes a transaction the only one of a payment, which most have. Its lists are beside each other in memory.
func (p *PaymentRecord) placeOnly(t *TransactionRecord) {
	lists := &struct {
		list   [1]*TransactionRecord
		public [1]*Transaction
	}{[1]*TransactionRecord{t}, [1]*Transaction{&t.Transaction}}
	p.Transactions, p.Payment.Transactions = lists.list[:], lists.public[:]
}

// add is append to both lists of transactions, for a reader.
func (p *PaymentRecord) add(t *TransactionRecord) {
	if len(p.Transactions) == 0 {
		p.placeOnly(t)
		return
	}
	p.Transactions = append(p.Transactions, t)
	p.Payment.Transactions = append(p.Payment.Transactions, &t.Transaction)
}

// brief returns the payment without what complete can add. Transactions are named by their numbers.
func (p *PaymentRecord) brief() PaymentRecord {
	b := *p
	b.Running, b.Charge = p.numberOf(b.Running), p.numberOf(b.Charge)
	if b.UpdatedAt.Equal(p.lastMoment()) {
		b.UpdatedAt = time.Time{}
	}
	return b
}

// complete adds what the document leaves out: the id, what the payment says for all its transactions, and what they
// say for it.
func (p *PaymentRecord) complete(id string) {
	p.ID = id
	for i, t := range p.Transactions {
		if t != nil {
			t.of(&p.Payment, i)
		}
	}
	p.Running, p.Charge = p.idOf(p.Running), p.idOf(p.Charge)
	if p.UpdatedAt.IsZero() {
		p.UpdatedAt = p.lastMoment()
	}
}

// numberOf returns the number of a transaction as text; an id that the payment does not have stays.
func (p *PaymentRecord) numberOf(id string) string {
	if id == "" {
		return ""
	}
	if i := p.indexOf(id); i >= 0 {
		return strconv.Itoa(i + 1)
	}
	return id
}

// idOf returns the id of the transaction with a number; another text stays, and Check refuses it.
func (p *PaymentRecord) idOf(number string) string {
	if number == "" { // an error costs more
		return ""
	}
	i, err := strconv.Atoi(number)
	if err != nil || i < 1 || i > len(p.Transactions) || p.Transactions[i-1] == nil {
		return number
	}
	return p.Transactions[i-1].ID
}

// lastMoment is when a transaction of the payment last began or ended. Most payments were last changed then.
func (p *PaymentRecord) lastMoment() time.Time {
	last := p.CreatedAt
	for _, t := range p.Transactions {
		if t == nil {
			continue
		}
		for _, at := range [...]time.Time{t.CreatedAt, t.DoneAt} {
			if at.After(last) {
				last = at
			}
		}
	}
	return last
}

// tooMuchBack reports whether more was refunded and reserved than captured. Most payments give nothing back.
func (p *PaymentRecord) tooMuchBack() bool {
	return (!p.Refunded.IsZero() || !p.Reserved.IsZero()) && p.Refunded.Add(p.Reserved).Cmp(p.Captured) > 0
}

// Check guards every write: captured is at most authorized, refunded with reserved is at most captured, and every
// transaction belongs to the payment and has an id of its own.
func (p *PaymentRecord) Check() error {
	switch {
	case len(p.Transactions) != len(p.Payment.Transactions):
		return errLists
	case p.ID == "" || p.MerchantID == "" || p.Order.Number == "":
		return errors.New("payment: id, merchant and order number are required")
	case p.Captured.Cmp(p.Authorized) > 0:
		return errors.New("payment: captured more than authorized")
	case p.tooMuchBack():
		return errors.New("payment: refunded more than captured")
	case p.Charge != "" && p.Transaction(p.Charge) == nil, p.Running != "" && p.Transaction(p.Running) == nil:
		return errors.New("payment: its charge or its running transaction is missing")
	case len(p.Transactions) == 0 || len(p.Transactions) > MaxTransactions:
		return errors.New("payment: no transactions, or too many")
	}
	for i, t := range p.Transactions {
		if err := t.check(p); err != nil {
			return err
		}
		if p.Payment.Transactions[i] != &t.Transaction {
			return errLists
		}
		if p.indexOf(t.ID) != i {
			return errors.New("transaction: another one of the payment has its id")
		}
	}
	return nil
}

var errLists = errors.New("payment: its two lists of transactions are not the same")
