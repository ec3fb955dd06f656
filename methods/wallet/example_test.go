package wallet_test

import (
	"errors"
	"fmt"

	"github.com/tollgatepay/gateway/methods/wallet"
)

// What cannot be a wallet's token is refused with the reason, and without its content.
func ExampleShow() {
	_, err := wallet.Show(wallet.ApplePay, []byte(`{"paymentData":"secret"}`))
	var fault *wallet.Fault
	fmt.Println(errors.As(err, &fault))
	// Output: true
}
