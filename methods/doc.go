// Package methods is what a connector author imports: the Connector port with its optional interfaces, the closed
// set of Answers, and amounts and currencies by the rules of the protocols.
//
// It also holds the payment methods as data: the Catalogue of codes, the parameter Sets they take, and the Rules
// of single parameters (SPEC2, "Resources and their fields"; methods.md). A host adds methods of its own as
// records, without code. Of the public packages it imports only store and refusal.
package methods
