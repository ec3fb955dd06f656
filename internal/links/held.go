package links

import (
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/store"
)

// Code opens the security code of an open attempt with the secret of its page; empty if it is erased or there was
// none.
func Code(t *records.Transaction, link []byte) store.SecurityCode {
	plain, err := vault.OpenHeld(link, vault.SecurityCode, t.ID, t.SealedCode)
	if err != nil {
		return store.SecurityCode{}
	}
	defer vault.Wipe(plain)
	code, _ := store.ParseSecurityCode(string(plain)) // only valid codes are sealed
	return code
}

// Back returns the page to go back to; empty if it is not known.
func Back(t *records.Transaction, secret []byte) string {
	plain, err := vault.OpenHeld(secret, vault.ReturnData, t.ID, t.SealedReturnPage)
	if err != nil {
		return ""
	}
	return string(plain)
}
