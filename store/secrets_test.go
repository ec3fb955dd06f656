package store_test

// This file proves that no printer, logger or encoder shows a secret.

import (
	"bytes"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"text/template"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// Texts that must stay hidden, and the mask that may be shown.
const (
	secretPAN  = "4539578763621486"
	secretMask = "453957******1486"
	secretCode = "8192"
	secretText = "correct-horse-battery"
)

// holder holds secrets as other code may: in the open, hidden from the method lookup of fmt, by pointer, in lists
// and as map keys.
type holder struct {
	PAN    store.PAN
	Code   store.SecurityCode
	Secret store.Secret
	Ptr    *store.PAN
	List   []store.PAN
	Map    map[string]store.Secret
	Any    any

	pan    store.PAN
	code   store.SecurityCode
	secret store.Secret
	list   []store.SecurityCode
}

type secrets struct {
	pan    store.PAN
	code   store.SecurityCode
	secret store.Secret
}

func newSecrets(t *testing.T) secrets {
	pan, err := store.ParsePAN(secretPAN)
	require.NoError(t, err)
	code, err := store.ParseSecurityCode(secretCode)
	require.NoError(t, err)
	return secrets{pan, code, store.NewSecret(secretText)}
}

// shapes returns all values that the tests print and encode.
func (s secrets) shapes() map[string]any {
	h := holder{
		PAN: s.pan, Code: s.code, Secret: s.secret, Ptr: &s.pan, List: []store.PAN{s.pan},
		Map: map[string]store.Secret{"key": s.secret}, Any: s.code,
		pan: s.pan, code: s.code, secret: s.secret, list: []store.SecurityCode{s.code},
	}
	return map[string]any{
		"pan": s.pan, "code": s.code, "secret": s.secret, "pan pointer": &s.pan, "code pointer": &s.code,
		"secret pointer": &s.secret, "list": []store.PAN{s.pan}, "array": [1]store.SecurityCode{s.code},
		"keys": map[store.PAN]store.SecurityCode{s.pan: s.code}, "holder": h, "holder pointer": &h,
		"any": []any{s.pan, s.code, s.secret}, "merchant": store.Merchant{Password: s.secret},
		"mid":      store.MID{Secrets: map[string]store.Secret{"key": s.secret}},
		"nameless": struct{ p, c, s any }{s.pan, s.code, s.secret},
		"hidden":   struct{ s secrets }{s},
	}
}

// silent requires that a text shows no more than the mask.
func (s secrets) silent(t *testing.T, what, text string) {
	t.Helper()
	require.Empty(t, s.leak(text), what)
}

// leak returns what a text shows beyond the mask, in any notation. Addresses, which reflection prints, are removed
// first: by chance they could look like anything.
func (s secrets) leak(text string) string {
	heap := reflect.ValueOf(s.pan).Field(0).Field(0).Pointer() >> 32
	plain := strings.ReplaceAll(number.ReplaceAllStringFunc(text, func(token string) string {
		for _, base := range []int{2, 8, 10, 16} {
			n, err := strconv.ParseUint(strings.TrimLeft(token, "0xXo"), base, 64)
			if err == nil && uintptr(n>>32) == heap {
				return "@"
			}
		}
		return token
	}), secretMask, "")
	parts := []string{secretCode, secretText}
	for i := range len(secretPAN) - 5 {
		parts = append(parts, secretPAN[i:i+6])
	}
	for _, part := range parts {
		for _, notation := range notations {
			if strings.Contains(plain, notation(part)) {
				return part
			}
		}
	}
	return ""
}

// number matches an address.
var number = regexp.MustCompile(`[0-9a-fA-FxXo]+`)

// notations are the forms in which the verbs of fmt write text.
var notations = []func(string) string{
	func(s string) string { return s },
	func(s string) string { return hex.EncodeToString([]byte(s)) },
	func(s string) string { return strings.ToUpper(hex.EncodeToString([]byte(s))) },
	func(s string) string { return fmt.Sprintf("% x", s) },
	func(s string) string { return fmt.Sprintf("%# x", s) },
	func(s string) string { return strings.Trim(fmt.Sprint([]byte(s)), "[]") },
}

func TestNoVerbPrintsSecrets(t *testing.T) {
	t.Parallel()
	s := newSecrets(t)
	for name, shape := range s.shapes() {
		for verb := rune(' ' + 1); verb < 0x7f; verb++ {
			for _, flags := range []string{"", "+", "#", "-", " ", "0", "# ", "+#", "20", "20.15", "-20.2", "[1]"} {
				format := "%" + flags + string(verb)
				s.silent(t, name+" "+format, fmt.Sprintf(format, shape))
			}
		}
		s.silent(t, name+" print", fmt.Sprint(shape)+fmt.Sprintln(shape))
		s.silent(t, name+" extra", fmt.Sprintf("%s", []any{"", shape}[0])+fmt.Sprintf("%[2]*[1]d", 1, shape))
		s.silent(t, name+" error", fmt.Errorf("%w %v", errors.New("x"), shape).Error())
		s.silent(t, name+" not an error", fmt.Errorf(string([]byte("%w")), shape).Error())
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%e", "%c", "%U"} {
		require.Equal(t, secretMask, fmt.Sprintf(verb, s.pan))
		require.Equal(t, "******", fmt.Sprintf(verb, s.code))
		require.Equal(t, "******", fmt.Sprintf(verb, s.secret))
	}
	require.Equal(t, secretMask, s.pan.String())
	require.Equal(t, "****** ******", s.code.String()+" "+s.secret.String())
}

func TestNoEncoderWritesSecrets(t *testing.T) {
	t.Parallel()
	s := newSecrets(t)
	for name, shape := range s.shapes() {
		for codec, encode := range map[string]func(io.Writer) error{
			"json": func(w io.Writer) error { return json.NewEncoder(w).Encode(shape) },
			"xml":  func(w io.Writer) error { return xml.NewEncoder(w).Encode(shape) },
			"gob":  func(w io.Writer) error { return gob.NewEncoder(w).Encode(shape) },
			"template": func(w io.Writer) error {
				return template.Must(template.New("").Parse(`{{.}} {{printf "%d" .}} {{print .}} {{js .}}`)).Execute(w, shape)
			},
		} {
			var out bytes.Buffer
			err := encode(&out)
			s.silent(t, name+" "+codec, out.String()+fmt.Sprint(err))
		}
	}
	for name, v := range map[string]interface {
		MarshalJSON() ([]byte, error)
		MarshalText() ([]byte, error)
		MarshalBinary() ([]byte, error)
		GobEncode() ([]byte, error)
	}{"pan": s.pan, "code": s.code, "secret": s.secret} {
		for _, marshal := range []func() ([]byte, error){v.MarshalJSON, v.MarshalText, v.MarshalBinary, v.GobEncode} {
			packed, err := marshal()
			require.ErrorIs(t, err, store.ErrSecret, name)
			require.Nil(t, packed, name)
		}
		for codec, encode := range map[string]func(any) error{
			"json": func(v any) error { _, err := json.Marshal(v); return err },
			"xml":  func(v any) error { _, err := xml.Marshal(v); return err },
			"gob":  func(v any) error { return gob.NewEncoder(io.Discard).Encode(v) },
		} {
			require.Error(t, encode(v), "%s %s", name, codec)
			require.Error(t, encode(&struct{ V any }{v}), "%s %s", name, codec)
		}
	}
}

func TestNoLoggerWritesSecrets(t *testing.T) {
	t.Parallel()
	s := newSecrets(t)
	for name, shape := range s.shapes() {
		var out bytes.Buffer
		for _, handler := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
			r := slog.NewRecord(time.Time{}, slog.LevelInfo, "m", 0) // without a time, because its digits vary
			r.Add("v", shape, slog.Group("g", "v", shape), "e", fmt.Errorf("x: %v", shape))
			require.NoError(t, handler.WithAttrs([]slog.Attr{slog.Any("w", shape)}).Handle(t.Context(), r))
		}
		log.New(&out, "", 0).Print(shape)
		require.Contains(t, out.String(), "v=")
		s.silent(t, name, out.String())
	}
	var out bytes.Buffer
	slog.New(slog.NewJSONHandler(&out, nil)).Info("m", "pan", s.pan, "code", s.code, "secret", s.secret)
	require.Contains(t, out.String(), `"pan":"`+secretMask+`","code":"******","secret":"******"`)
}

// TestTheWalkCanFail proves that the three tests above can fail: a secret that is shown is found.
func TestTheWalkCanFail(t *testing.T) {
	t.Parallel()
	s := newSecrets(t)
	for _, text := range []string{
		secretPAN, secretCode, secretText, fmt.Sprintf("%x", secretPAN), fmt.Sprintf("%X", secretCode),
		fmt.Sprintf("%# x", secretText), fmt.Sprint([]byte(secretPAN)), "4539578", "453957", "876362", "621486",
		"0x" + secretPAN, secretMask + secretPAN[6:], fmt.Sprint(struct{ pan string }{secretPAN}),
	} {
		require.NotEmpty(t, s.leak(text), text)
	}
	address := reflect.ValueOf(&s).Pointer()
	addresses := fmt.Sprintf("%p %d %o %b %X %#x %020d", &s, address, address, address, address, address, address)
	for _, text := range []string{secretMask, addresses, "45395", "1486"} {
		require.Empty(t, s.leak(text), text)
	}
}
