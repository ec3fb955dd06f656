// Package fields is the rule book: the text of every message about a field, every rule of a value, and the generic
// table that requests are held against, each once. It knows no request and no clock.
package fields
