package readonce_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/readonce"
)

func TestGet(t *testing.T) {
	t.Parallel()
	again := func(ctx context.Context) context.Context { return readonce.Begin(ctx) }
	for _, c := range []struct {
		name   string
		begins bool
		keys   []string
		within func(context.Context) context.Context // the second read is under this context
		fails  int                                   // reads that fail at first
		reads  int
	}{
		{name: "one request", begins: true, keys: []string{"a", "a"}, reads: 1},
		{name: "other keys", begins: true, keys: []string{"a", "b"}, reads: 2},
		{name: "no request", keys: []string{"a", "a"}, reads: 2},
		{name: "begun again within it", begins: true, keys: []string{"a", "a"}, within: again, reads: 1},
		{name: "when the caller is gone", begins: true, keys: []string{"a", "a"}, within: context.WithoutCancel, reads: 1},
		{name: "another request", keys: []string{"a", "a"}, within: again, reads: 2},
		{name: "an error is not kept", begins: true, keys: []string{"a", "a", "a"}, fails: 1, reads: 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx, reads := t.Context(), 0
			if c.begins {
				ctx = readonce.Begin(ctx)
			}
			for i, key := range c.keys {
				if i > 0 && c.within != nil {
					ctx = c.within(ctx)
				}
				got, err := readonce.Get(ctx, key, func() (string, error) {
					if reads++; reads <= c.fails {
						return "", errors.New("not now")
					}
					return "found " + key, nil
				})
				if err == nil {
					require.Equal(t, "found "+key, got)
				}
			}
			require.Equal(t, c.reads, reads)
		})
	}
}
