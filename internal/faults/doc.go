// Package faults makes every single call of every port fail, in every scenario, and judges the result after another
// gateway has continued. It holds tests only.
package faults
