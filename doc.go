// Package gateway is an embeddable payment gateway.
package gateway
