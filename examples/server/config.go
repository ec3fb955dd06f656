package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/methods"
)

// maxConfig bounds the configuration file, in bytes.
const maxConfig = 8 << 20

// readRecords reads a configuration file. The error names every fault with its place.
func readRecords(path string) (records, error) {
	file, err := os.Open(path)
	if err != nil {
		return records{}, fmt.Errorf("-config: %w", err)
	}
	defer func() { _ = file.Close() }() // only read
	text, err := io.ReadAll(io.LimitReader(file, maxConfig+1))
	if err == nil && len(text) > maxConfig {
		err = fmt.Errorf("is longer than %d bytes", maxConfig)
	}
	if err != nil {
		return records{}, fmt.Errorf("-config %s: %w", path, err)
	}
	rs, err := decodeRecords(text)
	if err != nil {
		return records{}, fmt.Errorf("-config %s:\n%w", path, err)
	}
	return rs, nil
}

// decodeRecords reads the lists and continues after a fault, to report them all.
func decodeRecords(text []byte) (rs records, err error) {
	rs.crypto = crypto
	if !json.Valid(text) {
		var syntax *json.SyntaxError
		if err := json.Unmarshal(text, new(any)); errors.As(err, &syntax) {
			return rs, fmt.Errorf("is not JSON: byte %d: %w", syntax.Offset, err)
		}
		return rs, errors.New("is not JSON")
	}
	d := &decoder{}
	for _, f := range d.fields("", text,
		[]string{"merchants", "mappings", "mids", "wallets", "wallet_roots", "crypto", "methods"}) {
		switch f.name {
		case "merchants":
			rs.merchants = list(d, f, rs.merchants)
		case "mappings":
			rs.mappings = list(d, f, rs.mappings)
		case "mids":
			rs.mids = list(d, f, rs.mids)
		case "wallets":
			rs.wallets = list(d, f, rs.wallets)
		case "wallet_roots":
			rs.walletRoots(d, f)
		case "crypto": // replaces the default
			rs.crypto = list(d, f, []methods.Currency(nil))
		case "methods":
			rs.methods = list(d, f, rs.methods)
		}
	}
	if len(d.faults) == 0 && len(rs.merchants) == 0 {
		d.fault("merchants", "at least one is needed")
	}
	d.unique(rs)
	return rs, errors.Join(d.faults...)
}

// decoder collects faults.
type decoder struct{ faults []error }

func (d *decoder) fault(place, text string) {
	d.faults = append(d.faults, errors.New(strings.TrimPrefix(place+": "+text, ": ")))
}

// unique reports ids that occur twice, where the second would replace the first.
func (d *decoder) unique(rs records) {
	seen := map[string]bool{}
	once := func(place string, parts ...string) {
		id := strings.Join(parts, "\x00")
		if seen[id] {
			d.fault(place, "there is one before it with the same id")
		}
		seen[id] = true
	}
	for i, m := range rs.merchants {
		once(fmt.Sprintf("merchants[%d]", i), "merchant", m.ID)
	}
	for i, m := range rs.mappings {
		once(fmt.Sprintf("mappings[%d]", i), "mapping", m.MerchantID, string(m.Protocol))
	}
	for i, m := range rs.mids {
		once(fmt.Sprintf("mids[%d]", i), "mid", m.MerchantID, m.ID)
	}
	for i, w := range rs.wallets {
		once(fmt.Sprintf("wallets[%d]", i), "wallets", w.MerchantID)
	}
}

// member is one name and value of an object.
type member struct {
	name, place string
	value       json.RawMessage
}

// fields reads an object. Unknown and repeated members are faults and are left out.
func (d *decoder) fields(place string, text []byte, known []string) (list []member) {
	reader := json.NewDecoder(bytes.NewReader(text))
	if open, err := reader.Token(); err != nil || open != json.Delim('{') {
		d.fault(place, "must be an object")
		return nil
	}
	for reader.More() {
		token, _ := reader.Token() // the text is valid JSON
		f := member{name: token.(string)}
		_ = reader.Decode(&f.value)
		f.place = strings.TrimPrefix(place+"."+f.name, ".")
		switch {
		case !slices.Contains(known, f.name):
			d.fault(f.place, "is not known; there are "+strings.Join(known, ", "))
		case slices.ContainsFunc(list, func(other member) bool { return other.name == f.name }):
			d.fault(f.place, "comes twice")
		default:
			list = append(list, f)
		}
	}
	return list
}

// list reads a list of records, field by field, so that one bad field does not hide the next.
func list[T any](d *decoder, f member, into []T) []T {
	var items []json.RawMessage
	if json.Unmarshal(f.value, &items) != nil {
		d.fault(f.place, "must be a list")
		return into
	}
	known := names(reflect.TypeFor[T]())
	for i, item := range items {
		var record T
		for _, field := range d.fields(fmt.Sprintf("%s[%d]", f.place, i), item, known) {
			single := fmt.Appendf(nil, "{%q:%s}", field.name, field.value)
			if err := json.Unmarshal(single, &record); err != nil {
				d.fault(field.place, reason(err))
			}
		}
		into = append(into, record)
	}
	return into
}

// reason returns what is wrong with a value and never repeats it: it may be a secret in the wrong place.
func reason(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		kind, _, _ := strings.Cut(wrong.Value, " ")
		return fmt.Sprintf("must be of type %s, not %s", wrong.Type, kind)
	}
	return err.Error()
}

// names returns the JSON names of a struct's fields.
func names(record reflect.Type) (list []string) {
	for i := range record.NumField() {
		name, _, _ := strings.Cut(record.Field(i).Tag.Get("json"), ",")
		if name != "-" {
			list = append(list, name)
		}
	}
	return list
}
