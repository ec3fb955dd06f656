// Package attack has one merchant or endpoint do its worst, and judges that it costs the others nothing. It holds tests
// only.
package attack
