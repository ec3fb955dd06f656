package signature

// row is one formula. Its text is the parts one after the other, in capitals. In a row with after the password
// follows that text, and its letter case counts.
type row struct {
	name  string
	parts []part
	after bool // the password follows the capitals and is in no part
	outer bool // SHA-1 over the hex text of the digest
}

// part is a run of inputs; a reversed one is reversed as a whole.
type part struct {
	reversed bool
	inputs   []input
}

func plain(inputs ...input) part { return part{inputs: inputs} }

func rev(inputs ...input) part { return part{reversed: true, inputs: inputs} }

var rows = [...]row{
	CheckoutSession:   {name: "checkout-session", outer: true, parts: []part{plain(orderNumber, amount, currency, description, password)}},
	CheckoutCredit:    {name: "checkout-credit", outer: true, parts: []part{plain(orderID, amount, currency, description, password)}},
	CheckoutPayment:   {name: "checkout-payment", outer: true, parts: []part{plain(paymentID, password)}},
	CheckoutOrder:     {name: "checkout-order", outer: true, parts: []part{plain(orderID, password)}},
	CheckoutAmount:    {name: "checkout-amount", outer: true, parts: []part{plain(paymentID, amount, password)}},
	CheckoutRecurring: {name: "checkout-recurring", outer: true, parts: []part{plain(recurringInitTransID, recurringToken, orderNumber, amount, description, password)}},
	CheckoutCallback:  {name: "checkout-callback", outer: true, parts: []part{plain(paymentID, orderNumber, amount, currency, description, password)}},

	Card1:      {name: "card-1", parts: []part{rev(email), plain(password), rev(card)}},
	Card1Token: {name: "card-1-token", parts: []part{rev(email), plain(password), rev(cardToken)}},
	Card2:      {name: "card-2", parts: []part{rev(email), plain(password, transID), rev(card)}},
	Card3:      {name: "card-3", parts: []part{rev(password)}},
	Card4:      {name: "card-4", parts: []part{rev(scheduleID, password)}},
	Card5:      {name: "card-5", parts: []part{plain(password), rev(card)}},
	Card5Token: {name: "card-5-token", parts: []part{plain(password), rev(cardToken)}},
	Card6:      {name: "card-6", parts: []part{plain(password, transID), rev(card)}},
	Card7:      {name: "card-7", parts: []part{rev(email), plain(password, orderID), rev(card)}},
	Card8:      {name: "card-8", parts: []part{rev(email), plain(password)}},

	APMSale:           {name: "apm-sale", parts: []part{rev(identifier, orderID, amount, currency, password)}},
	APMCreditvoid:     {name: "apm-creditvoid", parts: []part{rev(transID, password)}},
	APMTrans:          {name: "apm-trans", after: true, parts: []part{rev(transID)}},
	APMCredit:         {name: "apm-credit", after: true, parts: []part{rev(orderID, amount, currency)}},
	APMCreditCallback: {name: "apm-credit-callback", after: true, parts: []part{rev(transID, orderID, status)}},
	APMCryptoCallback: {name: "apm-crypto-callback", parts: []part{rev(email), plain(password, transID)}},
	APMCallback:       {name: "apm-callback", parts: []part{plain(body, password)}},
}

// row returns nil for an unknown formula.
func (f Formula) row() *row {
	if int(f) >= len(rows) || rows[f].name == "" {
		return nil
	}
	return &rows[f]
}

// text appends the text of a formula before capitals.
func (r *row) text(dst []byte, in *Inputs, secret string) []byte {
	for _, p := range r.parts {
		from := len(dst)
		for _, name := range p.inputs {
			dst = in.append(dst, name, secret)
		}
		if p.reversed {
			reverse(dst[from:])
		}
	}
	return dst
}

// reverse is PHP's strrev, in which the formulas are written: it reverses bytes, not characters.
func reverse(text []byte) {
	for i, j := 0, len(text)-1; i < j; i, j = i+1, j-1 {
		text[i], text[j] = text[j], text[i]
	}
}
