package methods

import (
	"fmt"

	"github.com/tollgatepay/gateway/store"
)

// Currency is the currency of amounts. The exponent is the number of decimals of its smallest unit, by ISO 4217
// or, for crypto, as the host registered it.
type Currency struct {
	Code     string `json:"code"`     // ISO 4217, or 3 to 6 upper-case letters and digits for crypto
	Exponent int    `json:"exponent"` // 0 to store.MaxDecimals
	Crypto   bool   `json:"-"`        // registered by the host; set by NewCurrencies
}

// Currencies are the currencies of a gateway: the active codes of ISO 4217 and the crypto currencies that its host
// registered. Nil and the zero value are ISO 4217 alone. It never changes and may be shared.
type Currencies struct{ crypto map[string]Currency }

// NewCurrencies registers crypto currencies in addition to ISO 4217. The error names the first one whose code or
// exponent is not valid, whose code is one of ISO 4217, or that occurs twice.
func NewCurrencies(crypto ...Currency) (*Currencies, error) {
	c := &Currencies{crypto: make(map[string]Currency, len(crypto))}
	for _, asset := range crypto {
		if err := c.register(asset); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *Currencies) register(asset Currency) error {
	_, twice := c.crypto[asset.Code]
	_, iso := isoExponent(asset.Code)
	switch {
	case !isCryptoCode(asset.Code):
		return fmt.Errorf("currency %q: the code must be 3 to 6 upper-case letters and digits", asset.Code)
	case asset.Exponent < 0 || asset.Exponent > store.MaxDecimals:
		return fmt.Errorf("currency %s: the exponent must be 0 to %d, not %d", asset.Code, store.MaxDecimals, asset.Exponent)
	case iso:
		return fmt.Errorf("currency %s: the code is one of ISO 4217", asset.Code)
	case twice:
		return fmt.Errorf("currency %s: registered twice", asset.Code)
	}
	asset.Crypto = true
	c.crypto[asset.Code] = asset
	return nil
}

func isCryptoCode(code string) bool {
	if len(code) < 3 || len(code) > 6 {
		return false
	}
	for i := range len(code) {
		if (code[i] < 'A' || code[i] > 'Z') && (code[i] < '0' || code[i] > '9') {
			return false
		}
	}
	return true
}

// Lookup returns a currency by its code, exactly as written: upper case only, no aliases.
func (c *Currencies) Lookup(code string) (Currency, bool) {
	if exponent, ok := isoExponent(code); ok {
		return Currency{Code: code, Exponent: exponent}, true
	}
	if c == nil {
		return Currency{}, false
	}
	currency, ok := c.crypto[code]
	return currency, ok
}

// Minor returns an amount as a whole number of the smallest units of a currency: 10.00 USD are "1000", 10 JPY are "10",
// and 1.234 KWD are "1234". It returns an error for a currency that is not known, and for an amount with more decimals
// than the currency has. Nothing is rounded.
func (c *Currencies) Minor(amount store.Amount, code string) (units string, err error) {
	currency, known := c.Lookup(code)
	if !known {
		return "", fmt.Errorf("the currency %s is not known", code)
	}
	shifted := amount.Decimal().Shift(int32(currency.Exponent))
	if !shifted.IsInteger() {
		return "", fmt.Errorf("the amount %s has more decimals than %s has", amount, code)
	}
	return shifted.StringFixed(0), nil
}

// Major returns the amount of a whole number of the smallest units of a currency, with all decimals of the currency. It
// is the reverse of Minor. It returns an error for a currency that is not known and for a text that is not such a
// number.
func (c *Currencies) Major(units, code string) (store.Amount, error) {
	currency, known := c.Lookup(code)
	if !known {
		return store.Amount{}, fmt.Errorf("the currency %s is not known", code)
	}
	whole, err := store.ParseAmount(units)
	if err != nil || whole.Decimals() > 0 {
		return store.Amount{}, fmt.Errorf("%s is no number of the smallest units of %s", units, code)
	}
	return store.ParseAmount(whole.Decimal().Shift(int32(-currency.Exponent)).StringFixed(int32(currency.Exponent)))
}
