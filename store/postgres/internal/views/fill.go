package views

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// Fill sets every field of a record to a value that is not its zero value, each to another as far as its type has many.
func Fill(v reflect.Value) {
	f := filler{}
	f.fill(v)
}

// filler counts the values.
type filler struct{ n int }

func (f *filler) fill(v reflect.Value) {
	f.n++
	switch value := v.Addr().Interface().(type) {
	case *time.Time:
		*value = time.UnixMicro(1_700_000_000_000_000 + int64(f.n)*1_000_003).UTC()
		return
	case *store.Amount:
		*value = store.MustAmount(fmt.Sprintf("%d.50", f.n))
		return
	case *store.Expiry:
		*value = store.Expiry{Year: 2038, Month: 1 + f.n%12}
		return
	case *json.RawMessage:
		*value = json.RawMessage(fmt.Sprintf(`{"n":%d}`, f.n))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("value-%d", f.n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(int64(f.n))
	case reflect.Uint8:
		v.SetUint(uint64(1 + f.n%250))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		f.fill(v.Index(0))
		f.fill(v.Index(1))
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{"name": fmt.Sprintf("value-%d", f.n)}))
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(v.Field(i))
		}
	default:
		panic("views: no value for " + v.Type().String())
	}
}
