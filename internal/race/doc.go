// Package race has what contends for one record meet, on two instances over one store, and judges what is left. It
// holds tests only. Pairs of requests and workers meet in every way; controls that take no care have to be found.
package race
