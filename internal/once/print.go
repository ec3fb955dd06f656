package once

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/store"
)

// Fingerprint returns what says whether two requests are the same: a hash of the verb and of every field. It is keyed,
// because a card number or an account could be guessed by it. A security code is not in it, as it must not be stored in
// any form.
func Fingerprint(key vault.Key, verb string, request any) ([]byte, error) {
	secret := key.Bytes()
	defer vault.Wipe(secret)
	p := printer{hmac.New(sha256.New, secret)}
	p.text("idempotency")
	p.text(verb)
	if err := p.value(reflect.ValueOf(request)); err != nil {
		return nil, err
	}
	return p.mac.Sum(nil)[:16], nil
}

// printer writes values so that two different ones are different texts: each part has its length, and each list the
// number of its parts.
type printer struct{ mac hash.Hash }

func (p printer) number(n int) { p.mac.Write(binary.BigEndian.AppendUint64(nil, uint64(n))) }

func (p printer) text(s string) {
	p.number(len(s))
	p.mac.Write([]byte(s))
}

func (p printer) value(v reflect.Value) error {
	switch known := v.Interface().(type) {
	case store.PAN:
		p.text(known.Digits())
		return nil
	case store.SecurityCode:
		return nil
	case time.Time:
		p.text(known.UTC().Format(time.RFC3339Nano))
		return nil
	}
	switch v.Kind() {
	case reflect.String:
		p.text(v.String()) // of a type that masks itself, the text itself
		return nil
	case reflect.Bool:
		p.text(strconv.FormatBool(v.Bool()))
		return nil
	case reflect.Int, reflect.Int64:
		p.text(strconv.FormatInt(v.Int(), 10))
		return nil
	case reflect.Uint8:
		p.text(strconv.FormatUint(v.Uint(), 10))
		return nil
	case reflect.Pointer:
		return p.pointer(v)
	case reflect.Struct:
		return p.fields(v)
	case reflect.Slice:
		return p.list(v)
	case reflect.Map:
		return p.pairs(v)
	default:
		return fmt.Errorf("a request with an idempotency key has a field of %s", v.Type())
	}
}

func (p printer) pointer(v reflect.Value) error {
	if v.IsNil() {
		p.number(0)
		return nil
	}
	p.number(1)
	return p.value(v.Elem())
}

// fields writes the exported fields: the others are set by the gateway.
func (p printer) fields(v reflect.Value) error {
	exported := 0
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if !field.IsExported() {
			continue
		}
		exported++
		p.text(field.Name)
		if err := p.value(v.Field(i)); err != nil {
			return fmt.Errorf("%s: %w", field.Name, err)
		}
	}
	if exported == 0 { // two values would look the same
		return fmt.Errorf("a request with an idempotency key has a field of %s", v.Type())
	}
	return nil
}

func (p printer) list(v reflect.Value) error {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		p.text(string(v.Bytes()))
		return nil
	}
	p.number(v.Len())
	for i := range v.Len() {
		if err := p.value(v.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

func (p printer) pairs(v reflect.Value) error {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	p.number(len(keys))
	for _, key := range keys {
		if err := p.value(key); err != nil {
			return err
		}
		if err := p.value(v.MapIndex(key)); err != nil {
			return err
		}
	}
	return nil
}
