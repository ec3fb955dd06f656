// Package gateway is an embeddable payment gateway: a program imports it and runs a whole payment
// platform in its own process. The host supplies acquirers (methods.Connector), a place to keep
// records (store.Store), keys (KeyProvider) and, if it wants its own, the delivery of callbacks
// (callback.Notifier); the gateway holds validation, signatures, state, routing and recovery.
//
// # A first payment
//
// New checks a Config and starts nothing. SaveMerchant and SaveMID store what an admin panel would
// hold. CreateSession answers a link for the payer; package gatewayhttp serves the same over HTTP, and its
// page shows the payer what NextAction says and sends what they enter to PaySession. Run delivers
// callbacks and settles what is open until its context ends; Tick does the same step by step. Close
// waits until everything that was begun is stored.
//
//	gw, err := gateway.New(gateway.Config{Store: s, Keys: keys, Connectors: acquirers, PublicURL: "https://pay.example"})
//	...
//	go gw.Run(ctx)
//	platform, err := gatewayhttp.New(gw, gatewayhttp.Options{})
//	platform.Register(mux)
//
// # How money moves
//
// Every operation takes three steps. One transaction of the store takes the duplicate key, reserves the
// amount and stores the intent. Then the connector is called, with no transaction open and a key that
// is a function of the transaction's id. One more transaction applies the answer along the state table
// (internal/state), guarded by the record as it then stands, and queues the callback. Once an intent is
// stored, call and outcome run to their end whatever becomes of the request that began them.
//
// Not knowing is a state of its own. An intent without an outcome is settled by evidence only: what the
// connector finds under our key, its notification, the answer to the same request sent again where the
// connector is idempotent, or the recorded decision of a person (ResolveDoubt). No timer declines.
//
// # Where to read on
//
// docs/architecture.md shows the rooms and three journeys through them. The files of this package:
//
//   - gateway, config, new: what the host supplies, and how it is put together
//   - tick: due work
//   - client: the merchant of a request; its methods are the verbs
//   - session_*, hosted_*: Checkout sessions and Hosted Payment Fields
//   - payer_*, offers: what a payer may choose from, sees next and brings back
//   - charge_*: the requests of charges, and the consequences of outcomes as the engine takes them
//   - followup_*, recurring_*, schedule: operations on payments that exist
//   - status, operator_*: what the host looks up and repairs
//   - form_*: the fields of requests with their rules
//   - package gatewaytest: the whole gateway in memory for tests, with a clock that a test moves
//
// Comments cite the specification as SPEC1 (Checkout and Hosted Payment Fields) and SPEC2 (methods and
// S2S), pages of docs/protocol by their names, and decisions by their letters.
package gateway
