// Package badinput holds one table of wrong inputs to every endpoint of the gateway: the Checkout requests, Hosted
// Payment Fields, S2S, the payer's page, and the return and notification links. It holds tests only. A row is a
// change of a valid request, and the whole answer to it. The texts are those of the protocol documents, so a row
// that fails is a defect of the program.
//
// The judge checks what every refusal has in common: no 5xx, no panic, no error in the server's log, the store
// equal byte for byte, no call to the acquirer, no callback, and no secret in the answer or the log.
package badinput
