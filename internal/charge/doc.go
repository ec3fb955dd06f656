// Package charge owns the first operation on a payment from the request to the engine: the draft of each attempt,
// the MIDs that can take it, the wallet's token that may pay it, and its claims. It serves all protocols.
package charge
