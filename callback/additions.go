package callback

import (
	"slices"

	"github.com/tollgatepay/gateway/store"
)

// Additions returns the parameters that the switches of Protocol Mapping add to a status answer, in order (SPEC1,
// "Events" and "Status lookup by order"). They are those of callbacks, except that card and card_expiration_date
// have a switch of their own, and a missing ARN is left out. Only Payment, Transaction, Mapping, Merchant and MID
// of the event are read; the last two may be nil.
func Additions(e Event) []Field {
	shown := given("with Additions.Card", func(e *Event) bool { return e.Mapping.Add.Card })
	fields := pick(nil, []row{
		{name: "card", when: shown, value: cardMask},
		{name: "card_expiration_date", when: shown, value: cardExpiry},
	}, &e)
	fields = pick(fields, extendedFacts(filled), &e)
	fields = pick(fields, additions, &e)
	return slices.DeleteFunc(fields, func(f Field) bool { return f.Value == "" })
}

// additions are the rows of SPEC1, "Events", that switches of the mapping turn on, for every protocol.
var additions = slices.Concat([]row{
	{name: "brand", when: added("Brand", func(a *store.Additions) bool { return a.Brand }), value: brand},
	{name: "ARN", when: arn, value: fact(func(f *store.Facts) string { return f.ARN })},
	{name: "checkout_payment_method", when: added("Method", func(a *store.Additions) bool { return a.Method }),
		value: func(e *Event) string { return e.Payment.Method }},
}, cof, payerFields, threeDSFields, browserFields())

// added is for a switch of store.Additions, by its name.
func added(name string, option func(*store.Additions) bool) when {
	return given("with Additions."+name, func(e *Event) bool { return option(&e.Mapping.Add) })
}

// brand returns the brand of the card, or the code of an alternative method.
func brand(e *Event) string {
	if e.Payment.Card != nil {
		return e.Payment.Card.Brand
	}
	return e.Payment.Method
}

// arn returns the presence of the ARN, the one addition that is sent even when it is empty (SPEC1).
var arn = when{says: "with Additions.ARN, even when it is empty", of: func(e *Event) presence {
	if e.Mapping.Add.ARN {
		return required
	}
	return absent
}}

var withCOF = added("COF", func(a *store.Additions) bool { return a.COF })

// cof are the Card-on-File attributes.
var cof = []row{
	{name: "initiator", when: withCOF, value: cofOf(func(c *store.COF) string { return c.Initiator })},
	{name: "source", when: withCOF, value: cofOf(func(c *store.COF) string { return c.Source })},
	{name: "sequence", when: withCOF, value: cofOf(func(c *store.COF) string { return c.Sequence })},
}

func cofOf(value func(*store.COF) string) func(*Event) string {
	return func(e *Event) string {
		if e.Payment.COF == nil {
			return ""
		}
		return value(e.Payment.COF)
	}
}

var withPayer = added("Payer", func(a *store.Additions) bool { return a.Payer })

// payerFields are the 15 payer fields (decision ae).
var payerFields = []row{
	{name: "payer_first_name", when: withPayer, value: func(e *Event) string { first, _ := e.Payment.Payer.Parts(); return first }},
	{name: "payer_last_name", when: withPayer, value: func(e *Event) string { _, last := e.Payment.Payer.Parts(); return last }},
	{name: "payer_middle_name", when: withPayer, value: payer(func(p *store.Payer) string { return p.MiddleName })},
	{name: "payer_birth_date", when: withPayer, value: payer(func(p *store.Payer) string { return p.BirthDate })},
	{name: "payer_address", when: withPayer, value: payer(func(p *store.Payer) string { return p.Address.Address })},
	{name: "payer_address2", when: withPayer, value: payer(func(p *store.Payer) string { return p.Address.Address2 })},
	{name: "payer_house_number", when: withPayer, value: payer(func(p *store.Payer) string { return p.Address.HouseNumber })},
	{name: "payer_country", when: withPayer, value: payer(func(p *store.Payer) string { return p.Address.Country })},
	{name: "payer_state", when: withPayer, value: payer(func(p *store.Payer) string { return p.Address.State })},
	{name: "payer_city", when: withPayer, value: payer(func(p *store.Payer) string { return p.Address.City })},
	{name: "payer_district", when: withPayer, value: payer(func(p *store.Payer) string { return p.Address.District })},
	{name: "payer_zip", when: withPayer, value: payer(func(p *store.Payer) string { return p.Address.Zip })},
	{name: "payer_email", when: withPayer, value: payer(func(p *store.Payer) string { return p.Email })},
	{name: "payer_phone", when: withPayer, value: payer(func(p *store.Payer) string { return p.Address.Phone })},
	{name: "payer_phone_country_code", when: withPayer, value: payer(func(p *store.Payer) string { return p.Address.PhoneCountryCode })},
}

// payer returns a function that reads a value of the payer.
func payer(value func(*store.Payer) string) func(*Event) string {
	return func(e *Event) string { return value(&e.Payment.Payer) }
}

var withThreeDS = added("ThreeDS", func(a *store.Additions) bool { return a.ThreeDS })

// threeDSFields are the result attributes of 3-D Secure.
var threeDSFields = []row{
	{name: "threeDSServerTransID", when: withThreeDS, value: fact(func(f *store.Facts) string { return f.ThreeDS.ServerTransID })},
	{name: "dsTransID", when: withThreeDS, value: fact(func(f *store.Facts) string { return f.ThreeDS.DSTransID })},
	{name: "acsTransID", when: withThreeDS, value: fact(func(f *store.Facts) string { return f.ThreeDS.ACSTransID })},
	{name: "xid", when: withThreeDS, value: fact(func(f *store.Facts) string { return f.ThreeDS.XID })},
	{name: "transStatus", when: withThreeDS, value: fact(func(f *store.Facts) string { return f.ThreeDS.TransStatus })},
	{name: "transStatusReason", when: withThreeDS, value: fact(func(f *store.Facts) string { return f.ThreeDS.TransStatusReason })},
	{name: "eci", when: withThreeDS, value: fact(func(f *store.Facts) string { return f.ThreeDS.ECI })},
	{name: "protocolVersion", when: withThreeDS, value: fact(func(f *store.Facts) string { return f.ThreeDS.ProtocolVersion })},
	{name: "authenticationFlow", when: withThreeDS, value: fact(func(f *store.Facts) string { return f.ThreeDS.Flow })},
}

// browserFields returns the browser_* attributes; a transaction stores them without that prefix.
func browserFields() []row {
	names := []string{
		"color_depth", "screen_height", "screen_width", "java_enabled", "javascript_enabled", "language",
		"timezone_offset", "user_agent", "accept_headers", "platform",
	}
	rows := make([]row, len(names))
	for i, name := range names {
		rows[i] = row{
			name: "browser_" + name, when: added("Browser", func(a *store.Additions) bool { return a.Browser }),
			value: func(e *Event) string { return e.Transaction.Browser[name] },
		}
	}
	return rows
}

// extended returns the rows of Add Extended Data to Callback (s2s_card.md, SALE; checkout.md), for the callbacks
// that sent selects, followed by the connector's own facts (decision av).
func extended(sent when) []row {
	return append(extendedFacts(sent), row{name: "extended_data", when: switched(sent), tree: extras})
}

// switched adds the condition that extended data is on.
func switched(sent when) when {
	says := "with Additions.Extended"
	if sent.says != "" {
		says += ": " + sent.says
	}
	return when{says: says, of: func(e *Event) presence {
		if !e.Mapping.Add.Extended {
			return absent
		}
		return sent.of(e)
	}}
}

func extendedFacts(sent when) []row {
	block := switched(sent)
	return []row{
		{name: "connector_name", when: block, value: func(e *Event) string { return e.Transaction.Connector }},
		{name: "rrn", when: block, value: fact(func(f *store.Facts) string { return f.RRN })},
		{name: "approval_code", when: block, value: fact(func(f *store.Facts) string { return f.ApprovalCode })},
		{name: "gateway_id", when: block, value: fact(func(f *store.Facts) string { return f.GatewayID })},
		{name: "extra_gateway_id", when: block, value: fact(func(f *store.Facts) string { return f.ExtraGatewayID })},
		{name: "merchant_name", when: block, value: merchantName},
		{name: "mid_name", when: block, value: midName},
		{name: "issuer_country", when: block, value: fact(func(f *store.Facts) string { return f.IssuerCountry })},
		{name: "issuer_bank", when: block, value: fact(func(f *store.Facts) string { return f.IssuerBank })},
	}
}

func extras(e *Event, name string) []Field {
	fields := make([]Field, len(e.Transaction.Extras))
	for i, extra := range e.Transaction.Extras {
		fields[i] = Field{name + "[" + extra.Name + "]", extra.Value}
	}
	return fields
}

func merchantName(e *Event) string {
	if e.Merchant == nil {
		return ""
	}
	return e.Merchant.Name
}

func midName(e *Event) string {
	if e.MID == nil {
		return ""
	}
	return e.MID.Name
}
