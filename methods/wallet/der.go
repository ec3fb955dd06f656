package wallet

import "encoding/asn1"

// der reads DER elements one after the other and remembers whether all were as required; after the first fault
// everything reads as empty.
type der struct {
	rest   []byte
	failed bool
}

// next reads the next element, which must have this class and tag.
func (d *der) next(class, tag int, compound bool) asn1.RawValue {
	var v asn1.RawValue
	rest, err := asn1.Unmarshal(d.rest, &v)
	if d.failed || err != nil || v.Class != class || v.Tag != tag || v.IsCompound != compound {
		d.failed = true
		return asn1.RawValue{}
	}
	d.rest = rest
	return v
}

func (d *der) sequence() *der { return d.inside(asn1.ClassUniversal, asn1.TagSequence) }

func (d *der) inside(class, tag int) *der {
	v := d.next(class, tag, true)
	return &der{rest: v.Bytes, failed: d.failed}
}

// end reports whether everything was read without a fault.
func (d *der) end() bool { return !d.failed && len(d.rest) == 0 }

// value reads the next element into v, as encoding/asn1 does.
func (d *der) value(v any) {
	if d.failed {
		return
	}
	rest, err := asn1.Unmarshal(d.rest, v)
	if err != nil {
		d.failed = true
		return
	}
	d.rest = rest
}

// number requires the next element to be this small integer.
func (d *der) number(want int) {
	var found int
	d.value(&found)
	d.failed = d.failed || found != want
}

// object requires the next element to be this identifier.
func (d *der) object(want string) {
	var found asn1.ObjectIdentifier
	d.value(&found)
	d.failed = d.failed || found.String() != want
}

// algorithm requires the next element to be this algorithm, without parameters or with empty ones.
func (d *der) algorithm(want string) {
	one := d.sequence()
	one.object(want)
	if len(one.rest) > 0 {
		null := one.next(asn1.ClassUniversal, asn1.TagNull, false)
		one.failed = one.failed || len(null.Bytes) > 0
	}
	d.failed = d.failed || !one.end()
}
