package engine

import (
	"cmp"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/watch"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// acquirers calls connectors: it prepares each operation and bounds each call.
type acquirers struct {
	Connectors  map[string]methods.Connector
	CallTimeout time.Duration
	Catalogue   *methods.Catalogue
	Now         func() time.Time
	Gate        *Gate
	Watch       *watch.Watch
}

// timeout returns how long one call of a connector may take, in whole microseconds: a stored deadline has no others,
// and no call may outlast it.
func (a *acquirers) timeout(name string) time.Duration {
	limit := a.CallTimeout
	if connector, ok := a.Connectors[name]; ok {
		if own := methods.CapabilitiesOf(connector).Timeout; own > 0 {
			limit = own
		}
	}
	return (limit + time.Microsecond - 1).Truncate(time.Microsecond)
}

// idempotent reports whether the connector of a transaction acts once on what it gets twice.
func (a *acquirers) idempotent(t *records.Transaction) bool {
	return methods.CapabilitiesOf(a.Connectors[t.Connector]).IdempotentByKey
}

// isCrypto reports whether a payment's method is a cryptocurrency.
func (a *acquirers) isCrypto(p *records.Payment) bool {
	method, _ := a.Catalogue.Lookup(p.Method)
	return method.Kind == methods.KindCrypto
}

// key returns the idempotency key of a transaction. It depends only on the id, so every attempt by every
// instance sends the same key.
func key(transactionID string) string { return keyPrefix + transactionID }

const keyPrefix = "tg-"

// names reports whether an answer is about a transaction.
func names(a *methods.Answer, t *records.Transaction) bool {
	id, ours := strings.CutPrefix(a.Key, keyPrefix)
	return ours && id == t.ID
}

func parentKey(t *records.Transaction) string {
	if t.ParentID == "" {
		return ""
	}
	return key(t.ParentID)
}

// operation returns a transaction in the form that the connector gets.
func (a *acquirers) operation(p *records.Payment, t *records.Transaction, profile Merchant) methods.Operation {
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

// paysByCard reports whether an operation is paid by card.
func paysByCard(op store.Operation) bool {
	return op == store.OpSale || op == store.OpAuth || op == store.OpDebit
}

// lacksBrowserFields reports whether the payer's browser did not send an attribute that the connector
// requires (decision al). The payment is then declined with cause INVALID_REQUEST and nothing is sent.
func lacksBrowserFields(connector methods.Connector, browser map[string]string) bool {
	for _, name := range methods.CapabilitiesOf(connector).BrowserFields {
		if browser[name] == "" {
			return true
		}
	}
	return false
}

// needsErased reports whether the connector requires a card or a security code that is no longer stored.
func (a *acquirers) needsErased(t *records.Transaction) bool {
	if !methods.CapabilitiesOf(a.Connectors[t.Connector]).CodeAtReturn {
		return false
	}
	return !t.ErasedAt.IsZero() || t.Coded && len(t.SealedCode) == 0
}
