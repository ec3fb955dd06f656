package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// recordKinds are the kinds with generated code.
func recordKinds() []any { return []any{new(PaymentRecord), new(Session), new(CallbackRecord)} }

// written and isRead are the generated code's.
func written(record any) ([]byte, error) {
	var w documentWriter
	if !writeRecord(&w, record) {
		return nil, errors.New("no code for this record")
	}
	return w.out, w.err
}

func isRead(document []byte, record any) bool {
	r := documentReader{text: string(document)}
	return readRecord(&r, record) && !r.bad && r.at == len(document)
}

// TestDocuments holds 5,000 random records of each kind against encoding/json: what is written, byte for byte, and
// what is read of it. Times are numbers in a document, so encoding/json gets a twin of the record whose times are.
func TestDocuments(t *testing.T) {
	t.Parallel()
	for _, kind := range recordKinds() {
		of := reflect.TypeOf(kind).Elem()
		t.Run(of.Name(), func(t *testing.T) {
			t.Parallel()
			random, plain := rand.New(rand.NewPCG(7, uint64(of.NumField()))), twin(of)
			for range 5000 {
				record := reflect.New(of)
				fill(random, record.Elem())
				want := plainJSON(t, asTwin(briefOf(record), plain).Interface())
				got, err := written(record.Interface())
				require.NoError(t, err)
				require.Equal(t, want, string(got))
				requireRead(t, of, plain, versioned(got))
			}
		})
	}
}

// TestTexts: each byte and some longer characters, at each place in texts of several lengths, are written as
// encoding/json does. Plain bytes are looked at several at a time.
func TestTexts(t *testing.T) {
	t.Parallel()
	odd := []string{"\u2028", "\u2029", "\u00e9", "\U0001f600", "\xe2\x80", "\xf0\x9f\x98"}
	for c := range 256 {
		odd = append(odd, string([]byte{byte(c)}))
	}
	for length := range 20 {
		for at := range length + 1 {
			for _, one := range odd {
				text := strings.Repeat("a", at) + one + strings.Repeat("~", length-at)
				var w documentWriter
				w.text(text)
				require.Equal(t, plainJSON(t, text), string(w.out), "%q", text)
			}
		}
	}
}

// briefOf returns the form of a record that its document has.
func briefOf(record reflect.Value) reflect.Value {
	switch r := record.Interface().(type) {
	case *PaymentRecord:
		return reflect.ValueOf(r.brief())
	case *CallbackRecord:
		return reflect.ValueOf(r.brief())
	}
	return record.Elem()
}

// TestBriefRecords: what a document leaves out is there again once it was read.
func TestBriefRecords(t *testing.T) {
	t.Parallel()
	noon := time.Date(2027, 3, 10, 12, 0, 0, 0, time.UTC)
	after := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	payment := func(change func(p *PaymentRecord)) PaymentRecord {
		p := PaymentRecord{Payment: Payment{ID: "p", MerchantID: "m", Order: Order{Number: "O", Currency: "USD"},
			CreatedAt: noon, UpdatedAt: after(9)}}
		p.SetTransaction(&TransactionRecord{Transaction: Transaction{ID: "2", CreatedAt: noon, DoneAt: after(1)}})
		p.SetTransaction(&TransactionRecord{Transaction: Transaction{ID: "1", CreatedAt: after(9)}})
		change(&p)
		return p
	}
	for _, c := range []struct {
		name string
		p    PaymentRecord
		want []string // in the document
		not  []string
	}{
		{"changed with its last transaction", payment(func(*PaymentRecord) {}), nil, []string{`"up"`, `"run"`, `"charge"`}},
		{"changed later", payment(func(p *PaymentRecord) { p.UpdatedAt = after(10) }), []string{`"up"`}, nil},
		{"changed earlier", payment(func(p *PaymentRecord) { p.UpdatedAt = after(8) }), []string{`"up"`}, nil},
		{"the first runs", payment(func(p *PaymentRecord) { p.Running = "2" }), []string{`"run":"1"`}, nil},
		{"the second runs", payment(func(p *PaymentRecord) { p.Running = "1" }), []string{`"run":"2"`}, nil},
		{"the second is the charge", payment(func(p *PaymentRecord) { p.Charge = "1" }), []string{`"charge":"2"`}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			document, err := written(&c.p)
			require.NoError(t, err)
			for _, text := range c.want {
				require.Contains(t, string(document), text)
			}
			for _, text := range c.not {
				require.NotContains(t, string(document), text)
			}
			got, err := Table[PaymentRecord]{Prefix: "p", Version: 1}.decode(string(versioned(document)), []string{"p"})
			require.NoError(t, err)
			require.Equal(t, plainJSON(t, c.p), plainJSON(t, got))
		})
	}
	for _, due := range []time.Time{noon, after(1)} {
		c := CallbackRecord{Callback: Callback{ID: "p.0001", PaymentID: "p", Number: 1, URL: "u", Body: "b",
			State: CallbackDue, Due: due, CreatedAt: noon}}
		document, err := written(&c)
		require.NoError(t, err)
		require.Equal(t, due.Equal(noon), !strings.Contains(string(document), `"due":1`))
		got, err := Table[CallbackRecord]{Prefix: "c", Version: 1}.decode(string(versioned(document)), []string{"p.0001"})
		require.NoError(t, err)
		require.Equal(t, c, got)
	}
}

// TestUnknownNumbers: a payment that names a transaction that it does not have is unreadable.
func TestUnknownNumbers(t *testing.T) {
	t.Parallel()
	for _, field := range []string{"run", "charge"} {
		for _, number := range []string{"0", "2", "-1", "t2", "99999999999999999999"} {
			document := `{"v":1,"m":"m","o":{"n":"O"},"t":[{"id":"t1"}],"` + field + `":"` + number + `"}`
			_, err := Table[PaymentRecord]{Prefix: "p", Version: 1}.decode(document, []string{"p"})
			require.True(t, IsUnreadable(err), number)
		}
	}
}

// plainJSON is what encoding/json writes without escapes for HTML.
func plainJSON(t *testing.T, record any) string {
	t.Helper()
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	require.NoError(t, encoder.Encode(record))
	return strings.TrimSuffix(text.String(), "\n")
}

func versioned(document []byte) []byte {
	return append([]byte(`{"v":1,`), document[1:]...)
}

// requireRead reads a document by the generated code and by encoding/json, with the same result.
func requireRead(t *testing.T, of, plain reflect.Type, document []byte) {
	t.Helper()
	want, got := reflect.New(plain), reflect.New(of)
	require.NoError(t, json.Unmarshal(document, want.Interface()))
	require.True(t, isRead(document, got.Interface()), "%s", document)
	require.Equal(t, want.Elem().Interface(), asTwin(got.Elem(), plain).Interface(), "%s", document)
}

// TestDocumentsInAnotherForm are not read.
func TestDocumentsInAnotherForm(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, document string }{
		{"spaces", `{"v":1, "m":"1"}`},
		{"spaces after a name", `{"v":1,"m": "1"}`},
		{"an escaped name", `{"v":1,"\u006d":"1"}`},
		{"a comma too many", `{"v":1,"m":"1",}`},
		{"a comma too few", `{"v":1,"m":"1""via":"2"}`},
		{"no colon", `{"v":1,"m""1"}`},
		{"a field without a value", `{"v":1,"m":}`},
		{"an unknown field without a value", `{"v":1,"colour":}`},
		{"an unknown field that is no JSON", `{"v":1,"colour":red}`},
		{"text after the end", `{"v":1,"m":"1"}}`},
		{"no end", `{"v":1,"m":"1"`},
		{"a text without end", `{"v":1,"m":"1`},
		{"a text that ends in a backslash", `{"v":1,"m":"1\`},
		{"a number for a text", `{"v":1,"m":1}`},
		{"a control character", "{\"v\":1,\"m\":\"\n\"}"},
		{"bytes that are no text", "{\"v\":1,\"m\":\"\xff\"}"},
		{"an unknown escape", `{"v":1,"m":"\q"}`},
		{"a number with zeros", `{"v":1,"n":007}`},
		{"a number with a sign", `{"v":1,"n":+7}`},
		{"a number with an exponent", `{"v":1,"n":7e1}`},
		{"a number that is too large", `{"v":1,"n":99999999999999999999}`},
		{"an amount with an exponent", `{"v":1,"a":"1e2"}`},
		{"an amount that is escaped", `{"v":1,"a":"\u0031"}`},
		{"a time that is a text", `{"v":1,"at":"2027-01-02T03:04:05Z"}`},
		{"a time with a fraction", `{"v":1,"at":1767323045000000.5}`},
		{"a time that is too large", `{"v":1,"at":9223372036854775808}`},
		{"a year of five digits", `{"v":1,"at":253402300800000000}`},
		{"a year before the first", `{"v":1,"at":-62135596800000001}`},
		{"an empty list", `{"v":1,"t":[]}`},
		{"a list without comma", `{"v":1,"tried":["1""2"]}`},
		{"a list without end", `{"v":1,"tried":["1"`},
		{"a list of records without comma", `{"v":1,"t":[{"id":"1"}{"id":"2"}]}`},
		{"a list of records without end", `{"v":1,"t":[{"id":"1"}`},
		{"a record that is missing in a list", `{"v":1,"t":[null]}`},
		{"data that is no JSON", `{"v":1,"custom_data":{"a"}}`},
		{"data without end", `{"v":1,"custom_data":{"a":1`},
		{"an object that is missing", `{"v":1,"o":null}`},
		{"nothing", ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.False(t, isRead([]byte(c.document), new(PaymentRecord)))
		})
	}
}

// TestDocumentsThatAreRead have another form than documents are written in, and the same meaning.
func TestDocumentsThatAreRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, document string
		want           PaymentRecord
	}{
		{"no fields", `{"v":1}`, PaymentRecord{}},
		{"a list that is missing", `{"v":1,"m":"1","t":null}`, PaymentRecord{Payment: Payment{MerchantID: "1"}}},
		{"another order", `{"v":1,"via":"s2s","o":{"c":"USD","n":"1"},"m":"1"}`,
			PaymentRecord{Payment: Payment{MerchantID: "1", Protocol: "s2s", Order: Order{Number: "1", Currency: "USD"}}}},
		{"a name twice", `{"v":1,"m":"1","tried":["1"],"m":"2","tried":["2"]}`,
			PaymentRecord{Payment: Payment{MerchantID: "2"}, Tried: []string{"2"}}},
		{"unknown fields", `{"v":1,"a1":"red","m":"1","a2":{"x":[1,"}"]},"a3":null,"a4":[]}`,
			PaymentRecord{Payment: Payment{MerchantID: "1"}}},
		{"letters of another case", `{"v":1,"M":"1"}`, PaymentRecord{}},
		{"a time before 1970", `{"v":1,"at":-1}`, PaymentRecord{Payment: Payment{CreatedAt: time.UnixMicro(-1).UTC()}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var got PaymentRecord
			require.True(t, isRead([]byte(c.document), &got))
			require.Equal(t, c.want, got)
		})
	}
}

// TestTypesThatEmbedARecord have a form of their own.
func TestTypesThatEmbedARecord(t *testing.T) {
	t.Parallel()
	record := struct {
		PaymentRecord
		Note string `json:"note"`
	}{Note: "mine"}
	_, err := written(&record)
	require.Error(t, err)
	require.False(t, isRead([]byte(`{"v":1}`), &record))
	text, err := appendRecord(nil, &record)
	require.NoError(t, err)
	require.Contains(t, string(text), `"note":"mine"`)
}

// TestDocumentErrors: what no document can have is not written.
func TestDocumentErrors(t *testing.T) {
	t.Parallel()
	large := MustAmount("999999999999999")
	for _, c := range []struct {
		name   string
		record any
	}{
		{"a sum that is too long", &PaymentRecord{Payment: Payment{Amount: large.Add(large)}}},
		{"a year of five digits", &PaymentRecord{Payment: Payment{CreatedAt: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}}},
		{"a year before the first", &PaymentRecord{Payment: Payment{CreatedAt: time.Date(0, 12, 31, 0, 0, 0, 0, time.UTC)}}},
		{"data that is no JSON", &PaymentRecord{Payment: Payment{CustomData: json.RawMessage("{")}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := written(c.record)
			require.Error(t, err)
		})
	}
}

// FuzzDocument changes one place of a document. What the generated code still reads, encoding/json reads as the same
// record, unless a name comes twice or in another case.
func FuzzDocument(f *testing.F) {
	var documents [][]byte
	random := rand.New(rand.NewPCG(1, 2))
	for _, kind := range recordKinds() {
		for range 8 {
			fill(random, reflect.ValueOf(kind).Elem())
			document, err := written(kind)
			require.NoError(f, err)
			documents = append(documents, versioned(document))
		}
	}
	for i := range documents {
		for _, piece := range []string{
			"", "\x00", `"`, `\`, `,`, `{`, `}`, `[]`, `null`, `0`, `-`, "\xff", ` `, `"id":"1",`,
		} {
			f.Add(uint8(i), uint16(random.IntN(len(documents[i]))), uint8(random.IntN(3)), piece)
		}
	}
	f.Fuzz(func(t *testing.T, n uint8, at uint16, cut uint8, piece string) {
		document := documents[int(n)%len(documents)]
		from := len(`{"v":1`) + int(at)%(len(document)-len(`{"v":1`))
		to := min(len(document), from+int(cut))
		changed := []byte(string(document[:from]) + piece + string(document[to:]))
		for _, kind := range recordKinds() {
			of := reflect.TypeOf(kind).Elem()
			plain := twin(of)
			if versionOf(string(changed)) == 1 && plainNames(changed, plain) && isRead(changed, reflect.New(of).Interface()) {
				requireRead(t, of, plain, changed)
			}
		}
	})
}

// JSON of a merchant is stored without white space, in other respects to the letter.
func TestRaw(t *testing.T) {
	t.Parallel()
	for _, value := range []string{`{"a":"\"", "b":1}`, `{"a":"\\" ,"b":1}`, "{\"a\":\n1}", "{\"a\":\t1}", "{\"a\":\r1}",
		`"a b"`, `[1, 2]`, `1 `, ` 1`, `{"a":"\\"}`, `{"<":"\u003c"}`, ``, `{"a"`, `\`, `{"a":1}}`} {
		var want bytes.Buffer
		fault := json.Compact(&want, json.RawMessage(value))
		var w documentWriter
		w.raw(json.RawMessage(value))
		require.Equal(t, fault, w.err, value)
		require.Equal(t, want.String(), string(w.out), value)
	}
}

// fill makes a random record. Half of the fields are empty.
func fill(random *rand.Rand, v reflect.Value) {
	if random.IntN(2) == 0 {
		v.SetZero()
		return
	}
	switch value := v.Addr().Interface().(type) {
	case *Amount:
		*value = MustAmount(fmt.Sprintf("%d.%0*d", random.IntN(1e6), 1+random.IntN(9), random.IntN(10)))
		return
	case *Expiry:
		*value = Expiry{2000 + random.IntN(100), 1 + random.IntN(12)}
		return
	case *time.Time:
		*value = time.UnixMicro(random.Int64N(8e15) - 4e15).UTC()
		return
	case *json.RawMessage:
		values := []string{`1`, `null`, `"<&>"`, `{ "a" : [ 1, "}\"" ] }`, `{"a":{"b":[{},[]]}}`, "\"\u2028\"",
			`[1.50,true]`, `"\u00e9"`}
		*value = json.RawMessage(values[random.IntN(len(values))])
		return
	}
	switch v.Kind() {
	case reflect.String:
		texts := []string{"a", "ORD-1", "https://shop.example/?a=1&b=<2>", "Ünïcode", "\u2028\u2029",
			"\x00\b\f\n\r\t\x1f\x7f",
			`"quoted\"`, "\xff\xfe", "😀", "\ufffd", "null", "{}[],:"}
		v.SetString(texts[random.IntN(len(texts))])
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(random.Int64N(2e6) - 1e6)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(random, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1+random.IntN(3), 3))
		for i := range v.Len() {
			switch v.Type().Elem().Kind() {
			case reflect.Uint8:
				v.Index(i).SetUint(uint64(random.IntN(256)))
			case reflect.Pointer: // a list has no missing elements
				v.Index(i).Set(reflect.New(v.Type().Elem().Elem()))
				fill(random, v.Index(i).Elem())
			default:
				fill(random, v.Index(i))
			}
		}
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{"b": "<1>", "a": "", "ü": "2"}))
	case reflect.Struct:
		for i := range v.NumField() {
			fill(random, v.Field(i))
		}
	default:
		panic("a record has a " + v.Kind().String())
	}
}
