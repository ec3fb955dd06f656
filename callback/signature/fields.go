package signature

// Fields returns the values that a formula signs, one by one, in capitals, without the password. A hash does not
// show where one value ends and the next begins, so two requests with one hash are the same request only if their
// fields are the same. The Body is not among the fields, because its parameters have names.
func Fields(formula Formula, inputs Inputs) (fields []string) {
	r := formula.row()
	if r == nil {
		return nil
	}
	for _, p := range r.parts {
		for _, name := range p.inputs {
			if name != password && name != body {
				fields = append(fields, Capitals(inputs.text(name)))
			}
		}
	}
	return fields
}

// TellsOrders reports whether a formula signs the order number, so that one hash is for one order. The formulas by
// which S2S CARD makes payments sign the payer and the card only: every order of the same payer and card has the
// same hash.
func (f Formula) TellsOrders() bool {
	r := f.row()
	if r == nil {
		return false
	}
	for _, p := range r.parts {
		for _, name := range p.inputs {
			if name == orderNumber || name == orderID {
				return true
			}
		}
	}
	return false
}

// Texts returns what a formula of Checkout signs, without the password at its end, as Verify reads it: with capitals
// of ASCII and, where they are others, with those of every script. Two requests with one of these texts in common have
// one hash under every password. It returns nil for the other formulas, whose hashes have another length.
func Texts(formula Formula, inputs Inputs) []string {
	r := formula.row()
	if r == nil || !r.outer {
		return nil
	}
	var space [room]byte
	text := r.text(space[:0], &inputs, "")
	if ascii(text) {
		capitalASCII(text)
		return []string{string(text)}
	}
	every := string(capitalUnicode(text))
	capitalASCII(text)
	return []string{string(text), every}
}
