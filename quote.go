package gateway

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/tollgatepay/gateway/internal/thrown"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// quotes asks the host for quotes, and rejects those that break the rules of Quote.
type quotes struct {
	quoter     Quoter // nil for none
	store      store.Store
	currencies *methods.Currencies
	log        *slog.Logger
	limit      time.Duration // of a quote
}

// maxRate limits the texts of rates, in characters.
const maxRate = 32

func isRate(text string) bool {
	rate, err := store.ParseAmount(text)
	return err == nil && !rate.IsZero() && len(text) <= maxRate
}

func shortText(text string) bool {
	unprintable := strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
	return !unprintable && utf8.ValidString(text) && utf8.RuneCountInString(text) <= maxRate
}

// sessionPayment returns as much of a session's payment as a quote needs.
func sessionPayment(s *store.Session) *store.Payment {
	return &store.Payment{
		Protocol: store.Checkout, Test: s.Test, Kind: s.Kind, Order: s.Order, Payer: s.Payer, VATCalc: s.Extra.VATCalc,
	}
}

// quote returns the host's quote for a payment that is about to be charged. It returns nil if the host has no quoter,
// and for an amount that is zero or unknown.
func (qs *quotes) quote(ctx context.Context, merchantID string, p *store.Payment) (*store.Quote, error) {
	if qs.quoter == nil || p.Amount.IsZero() {
		return nil, nil
	}
	if err := store.Confirm(ctx, qs.store); err != nil { // the host is not asked in vain
		return nil, err
	}
	currency, _ := qs.currencies.Lookup(p.Order.Currency)
	r := QuoteRequest{
		MerchantID: merchantID, Test: p.Test, Kind: p.Kind, Method: p.Method, Order: p.Order, Amount: p.Amount,
		Country: p.Payer.Address.Country, VAT: p.VATCalc,
	}
	q, err := qs.ask(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("no quote for order %q: %w", p.Order.Number, err)
	}
	return qs.quoted(&q, methods.FormatOf(p), currency), nil
}

// ask calls the quoter, and checks its answer against the rules.
func (qs *quotes) ask(ctx context.Context, r QuoteRequest) (q Quote, err error) {
	ctx, cancel := context.WithTimeout(ctx, qs.limit)
	defer cancel()
	defer func() {
		if failed := recover(); failed != nil {
			err = fmt.Errorf("the quoter panicked: %s", thrown.Kind(failed))
		}
	}()
	if q, err = qs.quoter.Quote(ctx, r); err != nil {
		return Quote{}, err
	}
	return q, qs.quoteFault(&r, &q)
}

// quoteFault returns what is wrong with a quote.
func (qs *quotes) quoteFault(r *QuoteRequest, q *Quote) error {
	currency, _ := qs.currencies.Lookup(r.Order.Currency)
	switch {
	case q.VAT == nil && q.VATRate != "", q.VAT != nil && !r.VAT:
		return errors.New("VAT: not asked for")
	case q.VAT != nil && (q.VAT.Decimals() > currency.Exponent || q.VAT.Cmp(r.Amount) > 0):
		return fmt.Errorf("VAT: %s is no part of %s %s", q.VAT, r.Amount, currency.Code)
	case !shortText(q.VATRate):
		return errors.New("VATRate: has to be printable, with at most 32 characters")
	}
	if q.Exchange == nil {
		return nil
	}
	return qs.exchangeFault(r, q.Exchange)
}

func (qs *quotes) exchangeFault(r *QuoteRequest, e *Exchange) error {
	currency, known := qs.currencies.Lookup(e.Currency)
	switch {
	case !known || e.Currency == r.Order.Currency:
		return fmt.Errorf("Exchange.Currency: %q is not known, or the order's own", e.Currency)
	case e.Amount.IsZero() || e.Amount.Decimals() > currency.Exponent:
		return fmt.Errorf("Exchange.Amount: %s is no amount of %s", e.Amount, e.Currency)
	case !isRate(e.Rate), e.RateBase != "" && !isRate(e.RateBase):
		return errors.New("Exchange.Rate: has to be a decimal number above nothing")
	}
	return nil
}

// quoted returns a quote as a payment stores it; nil for an empty one.
func (qs *quotes) quoted(q *Quote, format methods.Format, currency methods.Currency) *store.Quote {
	kept := store.Quote{VATRate: q.VATRate}
	if q.VAT != nil {
		kept.VATAmount = methods.FormatAmount(format, currency, *q.VAT)
	}
	if e := q.Exchange; e != nil {
		other, _ := qs.currencies.Lookup(e.Currency)
		kept.ExchangeCurrency, kept.ExchangeAmount = e.Currency, methods.FormatAmount(format, other, e.Amount)
		kept.ExchangeRate, kept.ExchangeRateBase = e.Rate, e.RateBase
	}
	if kept == (store.Quote{}) {
		return nil
	}
	return &kept
}

// shownVAT returns the tax that the page of a session shows before anything is paid. It returns nil while the tax is
// unknown: the payer still has to choose the amount, or the quoter has no answer.
func (qs *quotes) shownVAT(ctx context.Context, s *store.Session) *ContainedVAT {
	if !s.Extra.VATCalc || amountChosen(s) {
		return nil
	}
	p := sessionPayment(s)
	currency, _ := qs.currencies.Lookup(s.Order.Currency)
	var err error
	if p.Amount, err = methods.ParseAmount(methods.Checkout, currency, cmp.Or(s.Order.Amount, "0")); err != nil {
		return nil
	}
	q, err := qs.quote(ctx, s.MerchantID, p)
	if err != nil {
		qs.log.Error("the page cannot show the tax", "session", s.ID, "error", err)
	}
	if q == nil || q.VATAmount == "" {
		return nil
	}
	return &ContainedVAT{Amount: q.VATAmount, Rate: q.VATRate}
}
