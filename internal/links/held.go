package links

import (
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/store"
)

// Code is the security code of an open attempt, by the secret of its page; empty when it is gone or there was none.
func Code(t *store.Transaction, link []byte) store.SecurityCode {
	plain, err := vault.OpenHeld(link, vault.SecurityCode, t.ID, t.SealedCode)
	if err != nil {
		return store.SecurityCode{}
	}
	defer vault.Wipe(plain)
	code, _ := store.ParseSecurityCode(string(plain)) // what was sealed was one
	return code
}

// Back is the page to go back to; empty when none is known.
func Back(t *store.Transaction, secret []byte) string {
	plain, err := vault.OpenHeld(secret, vault.ReturnData, t.ID, t.SealedReturnPage)
	if err != nil {
		return ""
	}
	return string(plain)
}
