// Package s2sclient is a merchant's client of the S2S CARD and S2S APM protocols, for tests only. It is
// written from the documents alone and imports nothing of this module, so that it is an independent
// witness of the protocol packages: what they build from their tables, it demands from tables of its own.
//
// A [Client] signs requests, sends them and remembers of every payment what a merchant must keep (the
// follow-up formulas need the e-mail and the card of the original payment). [Check] compares an [Answer]
// with the documented shapes. A [Receiver] is the merchant's callback URL: it verifies signatures and
// shapes and collects what is wrong.
package s2sclient
