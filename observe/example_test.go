package observe_test

import (
	"fmt"
	"time"

	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/store"
)

// Every event is also a line of a log, with the same attributes for all events of its type.
func ExampleLineOf() {
	line := observe.LineOf(observe.DoubtResolved{
		Subject: observe.Subject{Connector: "bank", Operation: store.OpRefund, Currency: "USD"},
		Outcome: store.Success, Age: 90 * time.Second,
	})
	fmt.Println(line.Name, line.Level, line.Message)
	for _, a := range line.Filled() {
		fmt.Println(" ", a)
	}
	// Output:
	// doubt.resolved DEBUG an unknown outcome is known
	//   connector=bank
	//   operation=REFUND
	//   currency=USD
	//   outcome=success
	//   age=90
}
