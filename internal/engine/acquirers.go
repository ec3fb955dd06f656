package engine

import (
	"cmp"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// acquirers calls connectors: it tells them of an operation and bounds the call.
type acquirers struct {
	Connectors  map[string]methods.Connector
	CallTimeout time.Duration
	Catalogue   *methods.Catalogue
	Now         func() time.Time
	Gate        *Gate
}

// timeout is how long one call of a connector may take.
func (a *acquirers) timeout(name string) time.Duration {
	if connector, ok := a.Connectors[name]; ok {
		if own := methods.CapabilitiesOf(connector).Timeout; own > 0 {
			return own
		}
	}
	return a.CallTimeout
}

// isCrypto reports a payment by a method of crypto currencies.
func (a *acquirers) isCrypto(p *store.Payment) bool {
	method, _ := a.Catalogue.Lookup(p.Method)
	return method.Kind == methods.KindCrypto
}

// key is the idempotency key of a transaction: a pure function of its id, so that every try of every
// instance sends the same one.
func key(transactionID string) string { return "tg-" + transactionID }

func parentKey(t *store.Transaction) string {
	if t.ParentID == "" {
		return ""
	}
	return key(t.ParentID)
}

// operation is what the connector gets of a transaction.
func (a *acquirers) operation(p *store.Payment, t *store.Transaction, profile Merchant) methods.Operation {
	mid := profile.MID(t.MIDID)
	op := methods.Operation{
		Kind:          t.Operation,
		Key:           key(t.ID),
		TransactionID: t.ID,
		PaymentID:     p.ID,
		Merchant:      profile.Record().Name,
		Amount:        t.Amount,
		Currency:      t.Currency,
		Order:         p.Order,
		Method:        p.Method,
		Test:          p.Test,
		Deadline:      t.DeadlineAt,
		MID: methods.MID{ID: mid.ID, Descriptor: cmp.Or(p.Descriptor, mid.Descriptor), COF: mid.COF,
			Settings: mid.Settings, Secrets: mid.Secrets},
		AmountOpen:      t.AmountOpen,
		Payer:           p.Payer,
		Payee:           p.Payee,
		Quote:           p.Quote,
		Identifier:      p.Identifier,
		CryptoNetwork:   p.CryptoNetwork,
		ParentKey:       parentKey(t),
		ParentReference: t.ParentReference,
		Continuation:    t.Continuation,
		Authentication:  methods.Authentication(t.Authentication),
		Browser:         t.Browser,
	}
	if p.COF != nil && paysByCard(t.Operation) {
		op.COF, op.Credential = *p.COF, t.Credential
	}
	if method, ok := a.Catalogue.Lookup(p.Method); ok {
		op.MethodKind, op.Window = method.Kind, time.Duration(method.Window)*time.Second
	}
	return op
}

// paysByCard reports an operation that a card pays by.
func paysByCard(op store.Operation) bool {
	return op == store.OpSale || op == store.OpAuth || op == store.OpDebit
}

// lacksBrowserFields reports a browser attribute that the connector cannot do without and the payer's browser did not give
// (decision al): the payment is declined with cause INVALID_REQUEST before anything is sent.
func lacksBrowserFields(connector methods.Connector, browser map[string]string) bool {
	for _, name := range methods.CapabilitiesOf(connector).BrowserFields {
		if browser[name] == "" {
			return true
		}
	}
	return false
}

// needsGone reports that the connector cannot do without a card or a code that is not kept any more.
func (a *acquirers) needsGone(t *store.Transaction) bool {
	if !methods.CapabilitiesOf(a.Connectors[t.Connector]).CodeAtReturn {
		return false
	}
	return !t.ErasedAt.IsZero() || t.Coded && len(t.SealedCode) == 0
}
