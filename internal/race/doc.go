// Package race runs concurrent operations on one record, on two instances over one store, and judges the result. It
// holds tests only. Pairs of requests and workers meet in every way; careless control gateways must be found.
package race
