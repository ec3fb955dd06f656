package shop

import "slices"

// payment is the part of a status answer that is shown.
type payment struct {
	ID     string `json:"payment_id"`
	Date   string `json:"date"`
	Status string `json:"status"`
	Reason string `json:"reason"`

	// For the first payment of a subscription.
	RecurringToken string `json:"recurring_token"`
	FirstRecurring string `json:"first_recurring_date"` // YYYY-MM-DD
}

// tone returns the colour of the status.
func (p payment) tone() string {
	switch p.Status {
	case "settled":
		return "good"
	case "decline", "chargeback":
		return "bad"
	case "pending", "3ds", "redirect", "prepare":
		return "open"
	}
	return "plain"
}

// paid reports whether a payer with this status has paid.
func paid(status string) bool {
	return slices.Contains([]string{"settled", "pending", "refund", "reversal", "void"}, status)
}

// endingOf returns the ending for a status.
func endingOf(status string) string {
	switch {
	case paid(status):
		return "success"
	case status == "decline":
		return "cancel"
	}
	return "error"
}
