// Package faults fails every single call of every port, over every scenario, and judges what is left once another
// gateway has gone on. It holds tests only.
package faults
