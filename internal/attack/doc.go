// Package attack lets one merchant or endpoint behave as badly as it can, and checks that others are not affected.
// It holds tests only.
package attack
