// Package kerneltest is what the tests of the kernel's rooms share: short functions for charges and sessions,
// connectors with scripted answers, stores that judge every commit, faults of ports, and audits of a store. The
// judges read the records by themselves and share no code with the kernel.
package kerneltest
