package thrown_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/thrown"
)

func TestKind(t *testing.T) {
	t.Parallel()
	list := []int{}
	for want, panics := range map[string]func(){
		"runtime error: index out of range [0] with length 0": func() { _ = list[len(list)] },
		"a panic with a string":                               func() { panic("4111111111111111") },
		"a panic with a *errors.errorString":                  func() { panic(errors.New("4111111111111111")) },
	} {
		func() {
			defer func() { require.Equal(t, want, thrown.Kind(recover())) }()
			panics()
		}()
	}
}
