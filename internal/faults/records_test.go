package faults_test

import (
	"testing"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// newRecords returns an empty store for the records of a play. Tests of another store replace this file
// (store/postgres, TestFaults).
func newRecords(testing.TB) store.Store { return memory.New() }
