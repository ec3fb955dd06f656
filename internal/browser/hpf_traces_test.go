package browser_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// testCode is the security code of these tests. It appears nowhere else.
const testCode = "9371"

// traces are the places where a card may have been left, each with everything that ever came there.
type traces struct {
	mu   sync.Mutex
	bits map[string][]byte
}

func newTraces() *traces { return &traces{bits: map[string][]byte{}} }

func (all *traces) add(place string, bits []byte) {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.bits[place] = append(append(all.bits[place], bits...), '\n')
}

func (all *traces) size(place string) int {
	all.mu.Lock()
	defer all.mu.Unlock()
	return len(all.bits[place])
}

// forget removes a text from a place.
func (all *traces) forget(place, text string) {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.bits[place] = bytes.ReplaceAll(all.bits[place], []byte(text), nil)
}

// into is a writer to a place.
func (all *traces) into(place string) *traceWriter { return &traceWriter{all, place} }

type traceWriter struct {
	all   *traces
	place string
}

func (w *traceWriter) Write(bits []byte) (int, error) {
	w.all.add(w.place, bits)
	return len(bits), nil
}

// of lists the places that contain the test card's number or its code.
func (all *traces) of() (where []string) {
	all.mu.Lock()
	defer all.mu.Unlock()
	for place, bits := range all.bits {
		if holdsNumber(bits) || holdsCode(bits) {
			where = append(where, place)
		}
	}
	return where
}

// holdsNumber searches for the number as it is, grouped, encoded for a URL, in hexadecimal and in base64 at any
// offset of either alphabet, whole or without its last digits.
func holdsNumber(bits []byte) bool {
	return slices.ContainsFunc([]string{"", " ", "-", "+", "%20", " "}, func(by string) bool {
		text := strings.Join([]string{testNumber[:4], testNumber[4:8], testNumber[8:12]}, by)
		return slices.ContainsFunc(spelled(text), func(s string) bool { return bytes.Contains(bits, []byte(s)) })
	})
}

func spelled(text string) []string {
	list := []string{text, hex.EncodeToString([]byte(text)), fmt.Sprintf("%X", text)}
	for offset := range 3 {
		whole := base64.RawURLEncoding.EncodeToString(append(make([]byte, offset), text...))
		list = append(list, whole[(offset*8+5)/6:(offset+len(text))*8/6])
	}
	return list
}

// holdsCode searches for the code as a separate word, plain or in base64, because a hash or a time may contain any
// four digits.
func holdsCode(bits []byte) bool {
	for _, text := range []string{testCode, base64.StdEncoding.EncodeToString([]byte(testCode))} {
		for at := 0; ; at++ {
			next := bytes.Index(bits[at:], []byte(text))
			if next < 0 {
				break
			}
			at += next
			before, after := bits[max(at-1, 0):at], bits[at+len(text):]
			if !bytes.ContainsAny(before, idLetters+".") && !bytes.ContainsAny(after[:min(1, len(after))], idLetters) {
				return true
			}
		}
	}
	return false
}

const idLetters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/_-"

// The search finds planted secrets, and takes no mask for a number.
func TestHostedTracesAreFound(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		testNumber, "4111 1111 1111 1111", "4111-1111-1111-1111", "4111+1111+1111+1111", "4111%201111%201111%201111",
		hex.EncodeToString([]byte(testNumber)), base64.StdEncoding.EncodeToString([]byte(testNumber)),
		base64.StdEncoding.EncodeToString([]byte(`"n":"` + testNumber + `"`)),
		base64.URLEncoding.EncodeToString([]byte("?" + testNumber)),
		`{"cvv":"9371"}`, "cvv=9371", base64.StdEncoding.EncodeToString([]byte(testCode)), testCode,
	} {
		all := newTraces()
		all.add("here", []byte("before "+text+" after"))
		all.add("there", []byte("411111****1111 93710 0.9371 a9371b 937-1"))
		require.Equal(t, []string{"here"}, all.of(), text)
	}
}

// noted is a store that records every written key and value, even if it is overwritten or deleted later.
type noted struct {
	store.Store
	to *traceWriter
}

func (n noted) Update(ctx context.Context, fn func(store.Tx) error) error {
	return n.Store.Update(ctx, func(tx store.Tx) error { return fn(notedTx{tx, n.to}) })
}

type notedTx struct {
	store.Tx
	to *traceWriter
}

func (tx notedTx) Put(key, value []byte) error {
	tx.note(key, value)
	return tx.Tx.Put(key, value)
}

func (tx notedTx) Insert(key, value []byte) error {
	tx.note(key, value)
	return tx.Tx.Insert(key, value)
}

func (tx notedTx) note(key, value []byte) {
	tx.to.all.add(tx.to.place, slices.Concat(key, []byte(" "), value))
}

// answersTo records a handler's answers.
func (w *traceWriter) answersTo(next http.Handler) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&toldWriter{out, w}, r)
		w.all.add(w.place, fmt.Appendf(nil, "%v", out.Header()))
	})
}

type toldWriter struct {
	http.ResponseWriter
	to *traceWriter
}

func (w *toldWriter) Write(body []byte) (int, error) {
	w.to.all.add(w.to.place, body)
	return w.ResponseWriter.Write(body)
}

// Unwrap lets the handler use the other features of the connection.
func (w *toldWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
