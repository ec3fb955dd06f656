// Package kerneltest is what the tests of the kernel's rooms share: charges and sessions as short words, connectors
// that say what a test wants, stores that judge every commit, faults of ports, and judges of what a store holds. The
// judges read the records by themselves and share no code with the kernel.
package kerneltest
