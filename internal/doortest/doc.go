// Package doortest is what the tests of several protocols share: a server for real connections, and an acquirer
// that reports facts of its own.
package doortest
