package records

import (
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Order is the first entry of an order number: the payment that was stored first, and when a request to charge it was
// last accepted. Later payments have entries of their own, which are sorted by id, so by time.
type Order struct {
	first    string // the id of a payment; gone, or empty before the first one is stored
	key      []byte // under which it was read; nil for one that was not
	Accepted time.Time
}

// gone stands for the first payment when it is deleted and later ones are not. No id is like it.
const gone = "/"

// Used reports whether the order number has a payment.
func (o *Order) Used() bool { return o.first != "" }

// ReadOrder returns the first entry of an order number; the zero value if there is none.
func ReadOrder(r store.Reader, w Owner, number string) (o Order, err error) {
	o.key = KeyOfOrder(w, number)
	value, err := r.Get(o.key)
	if errors.Is(err, store.ErrNotFound) {
		return o, nil
	}
	if err != nil {
		return o, err
	}
	err = o.decode(value)
	return o, err
}

// Put stores the first entry of an order number.
func (o *Order) Put(tx store.Tx, w Owner, number string) error {
	at := int64(0)
	if !o.Accepted.IsZero() {
		at = o.Accepted.UnixMicro()
	}
	value := binary.BigEndian.AppendUint64(make([]byte, 0, timeSize+len(o.first)), uint64(at))
	if o.key == nil {
		o.key = KeyOfOrder(w, number)
	}
	return tx.Put(o.key, append(value, o.first...))
}

// timeSize is how many bytes of an entry say when a request was accepted, in microseconds; zero for never.
const timeSize = 8

func (o *Order) decode(value []byte) error {
	if len(value) < timeSize {
		return &store.Unreadable{Table: Orders, Cause: errors.New("an order without its first payment")}
	}
	o.first = string(value[timeSize:])
	if at := int64(binary.BigEndian.Uint64(value)); at != 0 {
		o.Accepted = time.UnixMicro(at).UTC()
	}
	return nil
}

// AddToOrder enters a payment under its order number.
func AddToOrder(tx store.Tx, p *Payment) error {
	w := OwnerOf(p)
	o, err := ReadOrder(tx, w, p.Order.Number)
	if err != nil {
		return err
	}
	if o.Used() {
		return tx.Put(KeyOfOrder(w, p.Order.Number, p.ID), []byte{})
	}
	o.first = p.ID
	return o.Put(tx, w, p.Order.Number)
}

// DeleteFromOrder deletes the entry of a payment.
func DeleteFromOrder(tx store.Tx, p *Payment) error {
	w, number := OwnerOf(p), p.Order.Number
	o, err := ReadOrder(tx, w, number)
	if err != nil {
		return err
	}
	if o.first != p.ID {
		err = tx.Delete(KeyOfOrder(w, number, p.ID))
	} else {
		o.first = gone
		err = o.Put(tx, w, number)
	}
	if err != nil {
		return err
	}
	left, err := PaymentsOfOrder(tx, w, number, "", 1)
	if err == nil && len(left) == 0 {
		err = tx.Delete(KeyOfOrder(w, number))
	}
	return err
}

// PaymentsOfOrder returns up to size payments of an order, the newest first. With an id it begins with that one.
func PaymentsOfOrder(r store.Reader, w Owner, number, from string, size int) (ids []string, err error) {
	of := store.Range{Prefix: KeyOfOrder(w, number), Limit: size, Reverse: true}
	if from != "" {
		of.From = KeyOfOrder(w, number, from)
	}
	for entry := range r.Scan(of) {
		if entry.Err != nil {
			return nil, entry.Err
		}
		id, err := paymentOfEntry(entry)
		if err != nil {
			return nil, err
		}
		if id != "" {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// paymentOfEntry returns the payment that an entry of an order leads to; empty if there is none any more.
func paymentOfEntry(entry store.Entry) (id string, err error) {
	parts, err := store.SplitKey(entry.Key)
	if err != nil {
		return "", err
	}
	if len(parts) > partsOfOrder {
		return parts[len(parts)-1], nil
	}
	var o Order
	if err := o.decode(entry.Value); err != nil || o.first == gone {
		return "", err
	}
	return o.first, nil
}

// PaymentsOfMerchant reads up to size entries of a merchant's orders, or of one order number, from a key on. It returns
// the payments that they lead to, by order number, and the key at which it goes on; nil at the end.
func PaymentsOfMerchant(r store.Reader, w Owner, number string, from []byte, size int) (ids []string, next []byte,
	err error) {
	of := store.Range{Prefix: prefixOfOrders(w, number), From: from, Limit: size}
	read := 0
	for entry := range r.Scan(of) {
		if entry.Err != nil {
			return nil, nil, entry.Err
		}
		if read++; read == size {
			next = append(slices.Clip(entry.Key), 0)
		}
		id, err := paymentOfEntry(entry)
		if err != nil && !store.IsUnreadable(err) {
			return nil, nil, err
		}
		if id != "" {
			ids = append(ids, id)
		}
	}
	return ids, next, nil
}

// partsOfOrder is how many parts the key of a first entry has.
const partsOfOrder = 3

// NewestOfOrder returns the newest payments of an order, the newest first. It returns ErrNoOrder if there is none.
func NewestOfOrder(r store.Reader, w Owner, number string, size int) (ids []string, err error) {
	if ids, err = PaymentsOfOrder(r, w, number, "", size); err == nil && len(ids) == 0 {
		return nil, refusal.ErrNoOrder
	}
	return ids, err
}
