package signature

// Fields are the values that a formula signs, one by one, in capitals, without the password. A hash does not
// tell where one value ends and the next begins; two requests of one hash are the same request only where
// their fields are the same. A body, which has no borders to move, is none of them.
func Fields(formula Formula, inputs Inputs) (fields []string) {
	r := formula.row()
	if r == nil {
		return nil
	}
	for _, p := range r.parts {
		for _, name := range p.inputs {
			if name != password && name != body {
				fields = append(fields, Capitals(string(inputs.append(nil, name, ""))))
			}
		}
	}
	return fields
}

// TellsOrders reports a formula that signs the number of an order, so that one hash is for one order. Those by
// which S2S CARD makes payments sign the payer and the card only: every order of theirs has the same hash.
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
