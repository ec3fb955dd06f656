package vcard

// chosen reports whether the amount is known.
func (e Entry) chosen() bool { return !e.Open || !e.Amount.IsZero() }

// amountText returns the amount as a payer reads it.
func (e Entry) amountText() string {
	if !e.chosen() {
		return "Any amount in " + e.Currency
	}
	return e.Amount.String() + " " + e.Currency
}

// choose sets the amount that the payer entered, if the amount is open.
func (e *Entry) choose(text string) error {
	if e.chosen() {
		return nil
	}
	amount, err := amountOf(e.Currency, text)
	if err == nil {
		e.Amount = amount
	}
	return err
}
