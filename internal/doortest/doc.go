// Package doortest is what the tests of several protocols share: a server that a test reaches over a real connection,
// and an acquirer that tells facts of its own.
package doortest
