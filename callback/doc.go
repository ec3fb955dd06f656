// Package callback sends merchants the callbacks about their payments (callbacks.md). Render makes the body of a
// callback for each protocol, with its signature. The Outbox queues callbacks, claims those that are due, and tries
// them again until the merchant accepts or the Schedule ends. A Notifier delivers them; HTTPNotifier is the one that
// posts them.
//
// The gateway queues a callback in the transaction that changes the payment, so none is lost or sent for a change
// that was not stored. Package callback/receive reads and checks one on the merchant's side.
//
// Hosts use Notifier, HTTPNotifier and Schedule. The rest is what the gateway is made of, and is not covered by
// docs/compatibility.md.
package callback
