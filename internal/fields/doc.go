// Package fields holds what all protocols ask of the values of their fields, each rule once. It knows no
// request and no clock.
package fields
