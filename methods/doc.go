// Package methods is what a connector author imports: the Connector port with its optional powers, the
// closed set of Answers, and amounts and currencies by the rules of the protocols. It names the records
// of package store and nothing else of the library.
package methods
