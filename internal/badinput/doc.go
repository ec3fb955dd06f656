// Package badinput holds one table of wrong inputs over every endpoint of the gateway: the Checkout
// requests, Hosted Payment Fields, S2S, the payer's page, and the links acquirers and payers come back by.
// It has nothing but tests. A row is a valid request with a change, and the whole answer to it; the texts
// are those of the protocol documents, so that a row that fails is a defect of the program.
//
// What every refusal also has to do stands in one place, the judge: no 5xx, no panic, no complaint of the
// server, the store the same byte for byte, no call to the acquirer, no callback, and nothing secret in the
// answer or the log.
package badinput
