package main

import (
	"context"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/speed"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
)

// largeFile fills a file with payments, and measures how long it takes to start on it and to look a payment up.
func (b *bench) largeFile(ctx context.Context) (err error) {
	path := filepath.Join(b.folder, "large.db")
	keys := gatewaytest.NewKeys() // the same for each start
	same := func(cfg *gateway.Config) { cfg.Keys = keys }
	if err := b.fill(ctx, path, same); err != nil {
		return err
	}
	var starts speed.Spread
	for range b.repeat {
		began := time.Now()
		s, err := bolt.Open(path)
		if err != nil {
			return err
		}
		gw, err := speed.Start(s, same)
		if err != nil {
			return errors.Join(err, s.Close())
		}
		if _, _, err := gw.Tick(ctx, 0); err != nil { // all that a start reads before it works
			return errors.Join(err, s.Close())
		}
		starts = append(starts, speed.Micros(time.Since(began))/1e3)
		if err := errors.Join(gw.Close(ctx), s.Close()); err != nil {
			return err
		}
	}
	speed.PrintMeasure(b.out, "start on the file with all payments", "ms", starts)
	return b.status(ctx, path, same)
}

// fill makes the payments.
func (b *bench) fill(ctx context.Context, path string, same func(*gateway.Config)) error {
	s, err := bolt.Open(path)
	if err != nil {
		return err
	}
	gw, err := speed.Open(ctx, s, same)
	if err != nil {
		return errors.Join(err, s.Close())
	}
	_, _, err = together(b.payments, func(i int64) error { return sell(ctx, gw, i) })
	return errors.Join(err, gw.Close(ctx), s.Close())
}

// status measures a look-up by order beside reading and decoding the same payment's record.
func (b *bench) status(ctx context.Context, path string, same func(*gateway.Config)) error {
	s, err := bolt.Open(path)
	if err != nil {
		return err
	}
	gw, err := speed.Start(s, same)
	if err != nil {
		return errors.Join(err, s.Close())
	}
	var ours, raw speed.Spread
	for range b.repeat {
		looked, read, turnErr := b.statusTurn(ctx, gw, s)
		ours, raw = append(ours, speed.Quantile(looked, 0.5)), append(raw, speed.Quantile(read, 0.5))
		if err = errors.Join(err, turnErr); err != nil {
			return errors.Join(err, s.Close())
		}
	}
	speed.PrintMeasure(b.out, "status p50 among all payments on bolt, of a raw Get and Unmarshal", "times", ours.Over(raw))
	speed.PrintMeasure(b.out, "status p50 among all payments on bolt", "us", ours)
	speed.PrintMeasure(b.out, "raw Get and Unmarshal p50", "us", raw)
	return errors.Join(gw.Close(ctx), s.Close())
}

// statusTurn looks payments up at random. The two ways take turns at being the first.
func (b *bench) statusTurn(ctx context.Context, gw *gateway.Gateway,
	s store.Store) (looked, read []time.Duration, err error) {
	const lookups = 2000
	for i := range lookups {
		n := rand.Int64N(int64(b.payments))
		p, _, err := look(ctx, gw, n) // brings the pages into the caches
		if err != nil {
			return nil, nil, err
		}
		var byOrder, byKey time.Duration
		for turn := range 2 {
			if (i+turn)%2 == 0 {
				_, byOrder, err = look(ctx, gw, n)
			} else {
				byKey, err = get(ctx, s, p.ID)
			}
			if err != nil {
				return nil, nil, err
			}
		}
		looked, read = append(looked, byOrder), append(read, byKey)
	}
	return looked, read, nil
}

// look asks for the n-th sale by its order.
func look(ctx context.Context, gw *gateway.Gateway, n int64) (p store.Payment, took time.Duration, err error) {
	lookup := gateway.Lookup{OrderNumber: kerneltest.SaleRequest(n).Order.Number}
	began := time.Now()
	results, err := gw.Merchant(gatewaytest.MerchantKey).Status(ctx, lookup)
	took = time.Since(began)
	if err == nil && len(results) != 1 {
		err = fmt.Errorf("order %s has %d payments", lookup.OrderNumber, len(results))
	}
	if err != nil {
		return p, took, err
	}
	return results[0].Payment, took, nil
}

// paymentShape is the struct into which encoding/json decodes a payment's record.
var paymentShape = shapeOf(reflect.TypeFor[records.Payment]())

// shapeOf returns a type with the fields of a stored record, in which each time is a number, as in a document. So
// encoding/json has a struct to decode into, as a program without the gateway's generated code would have.
func shapeOf(of reflect.Type) reflect.Type {
	switch {
	case of == reflect.TypeFor[time.Time]():
		return reflect.TypeFor[int64]()
	case decodesItself(of):
		return of
	case of.Kind() == reflect.Pointer:
		return reflect.PointerTo(shapeOf(of.Elem()))
	case of.Kind() == reflect.Slice:
		return reflect.SliceOf(shapeOf(of.Elem()))
	case of.Kind() != reflect.Struct:
		return of
	}
	var fields []reflect.StructField
	for _, f := range reflect.VisibleFields(of) {
		if f.IsExported() && !f.Anonymous {
			fields = append(fields, reflect.StructField{Name: f.Name, Type: shapeOf(f.Type), Tag: f.Tag})
		}
	}
	return reflect.StructOf(fields)
}

func decodesItself(of reflect.Type) bool {
	pointer := reflect.PointerTo(of)
	return pointer.Implements(reflect.TypeFor[json.Unmarshaler]()) ||
		pointer.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// get reads a payment's record and decodes it with encoding/json.
func get(ctx context.Context, s store.Store, id string) (took time.Duration, err error) {
	key := store.Key(records.Payments.Prefix, id)
	began := time.Now()
	var text []byte
	err = s.View(ctx, func(r store.Reader) (err error) {
		text, err = r.Get(key)
		return err
	})
	p := reflect.New(paymentShape)
	if err == nil {
		err = json.Unmarshal(text, p.Interface())
	}
	took = time.Since(began)
	if status := p.Elem().FieldByName("Status").Interface(); err == nil && status != store.Settled {
		err = fmt.Errorf("the payment %s is %v", id, status)
	}
	return took, err
}
