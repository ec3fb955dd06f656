package bracketform

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRelease: the memory of a form has nothing of the form any longer, and the texts that were read of it stay. It is
// not parallel, because it looks at memory that another form may get.
func TestRelease(t *testing.T) {
	form, faults := Parse([]byte("card=4111%31&list[]=x&list[]=y&deep[a][b]=c"), Limits{})
	require.NoError(t, faults.Err())
	card, found := form.Scalar("card")
	require.True(t, found)
	tree := form.Tree("deep")
	b := form.builder
	form.Release()
	require.Empty(t, b.nodes)
	for _, n := range b.nodes[:cap(b.nodes)] {
		require.Zero(t, n)
	}
	for _, slot := range b.table.slots {
		require.Zero(t, slot)
	}
	for _, key := range b.keys[:cap(b.keys)] {
		require.Empty(t, key)
	}
	require.Equal(t, "41111", card)
	require.Equal(t, map[string]any{"a": map[string]any{"b": "c"}}, tree)
	(&Form{}).Release()
}

// TestReleasedMemory: what a form is does not depend on which forms had its memory before.
func TestReleasedMemory(t *testing.T) {
	t.Parallel()
	bodies := []string{"a=1", "b=2&c[]=3&c[]=4", "d[x]=5&d[y]=6&a=7", "", "a=%", "a=1&a=2", "c[5]=1",
		strings.Repeat("q=1&", 20_000)}
	for i := range 60 {
		bodies = append(bodies, strings.Repeat(fmt.Sprintf("n%d[]=%d&", i, i), i+1))
	}
	expected := map[string]string{}
	for _, body := range bodies { // none of these is released
		form, faults := Parse([]byte(body), Limits{})
		expected[body] = described(form, faults)
	}
	for range 3 {
		for _, body := range bodies {
			form, faults := Parse([]byte(body), Limits{})
			require.Equal(t, expected[body], described(form, faults), "%.60q", body)
			form.Release()
		}
	}
}

func described(form Form, faults Faults) string {
	var text strings.Builder
	for name, value := range form.Pairs() {
		fmt.Fprintf(&text, "%s=%s\n", name, value)
	}
	_, a := form.Scalar("a")
	fmt.Fprint(&text, form.Names(), faults, a, form.Tree("c"), form.HasBrackets("d"))
	return text.String()
}
