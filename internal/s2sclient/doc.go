// Package s2sclient is a merchant's client of the S2S CARD and S2S APM protocols, for tests only. It is written
// from the documents alone and imports nothing of this module, so that it tests the protocol packages
// independently: it has its own tables of what they must send.
//
// A [Client] signs requests, sends them and remembers of every payment what a merchant must keep (the follow-up
// formulas need the e-mail and the card of the original payment). [Check] compares an [Answer] with the documented
// shapes. A [Receiver] is the merchant's callback URL: it verifies signatures and shapes and collects what is
// wrong.
package s2sclient
