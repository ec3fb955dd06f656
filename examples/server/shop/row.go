package shop

// row is an order with its payment, as the gateway reports it now.
type row struct {
	Order   order
	Payment payment // empty before a payer has tried to pay
}

// Status returns the gateway's status, or says that there is no payment yet.
func (r row) Status() string {
	if r.Payment.Status == "" {
		return "unpaid"
	}
	return r.Payment.Status
}

// Tone returns the colour of the status.
func (r row) Tone() string { return r.Payment.tone() }

// Meaning returns a status in words.
func (r row) Meaning() string {
	return map[string]string{
		"":           "No payment has been tried yet.",
		"prepare":    "The outcome is not known yet.",
		"3ds":        "The payer is with the card issuer.",
		"redirect":   "The payer is at the bank.",
		"pending":    "The amount is held on the card. Capture it to take the money.",
		"settled":    "The money was taken.",
		"decline":    "The payment was declined.",
		"reversal":   "The hold was released. No money was taken.",
		"refund":     "Money was given back.",
		"void":       "The payment was cancelled on the day it was made.",
		"chargeback": "The payer disputes the payment.",
	}[r.Payment.Status]
}

// offers returns the actions that a status allows, with the texts of their buttons.
func (r row) offers() []offer {
	all := r.Order.Amount
	switch r.Payment.Status {
	case "pending":
		return []offer{{"capture", "Capture", true, all}, {"refund", "Release the hold", true, all}}
	case "settled":
		return []offer{{"refund", "Refund", true, all}, {"void", "Void", false, ""}}
	case "refund":
		return []offer{{"refund", "Refund more", true, ""}}
	}
	return nil
}

type offer struct {
	Action, Label string
	WithAmount    bool
	Amount        string // preset
}
