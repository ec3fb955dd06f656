package strictjson

// UnmarshalJSON implements json.Unmarshaler for values read back from records. The rules of this package hold,
// its limits on size do not. The error is of type [Faults].
func (v *Value) UnmarshalJSON(data []byte) error {
	read, faults := Parse(data, storedLimits())
	if faults != nil {
		return faults
	}
	*v = read
	return nil
}

// UnmarshalJSON implements json.Unmarshaler like that of [Value]; null is read as absent.
func (o *Object) UnmarshalJSON(data []byte) error {
	var v Value
	if err := v.UnmarshalJSON(data); err != nil {
		return err
	}
	if v.kind == KindNull {
		v = Value{}
	} else if v.kind != KindObject {
		return errWantObject
	}
	o.Value = v
	return nil
}

// storedLimits reads back values that were accepted once, perhaps under limits wider than the defaults.
func storedLimits() Limits {
	return Limits{MaxBytes: 1 << 30, MaxDepth: 256, MaxKeys: 1000, MaxItems: 1 << 30, MaxPairs: 1 << 30}
}
