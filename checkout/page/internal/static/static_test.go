package static

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// A host's file replaces ours of the same name; other files are added.
func TestLoad(t *testing.T) {
	t.Parallel()
	ours, err := Load(nil)
	require.NoError(t, err)
	set, err := Load(fstest.MapFS{"page.css": {Data: []byte("a{}")}, "logo.png": {Data: []byte("x")},
		"icon.svg": {Data: []byte("<svg/>")}})
	require.NoError(t, err)
	require.NotEqual(t, ours.Named["page.css"], set.Named["page.css"])
	require.Equal(t, ours.Named["page.js"], set.Named["page.js"])
	require.Equal(t, "a{}", string(set.Served[set.Named["page.css"].URL].Body))
	require.Equal(t, "image/png", set.Served[set.Named["logo.png"].URL].Kind)
	require.Equal(t, "<svg/>", string(set.Served[set.Named["icon.svg"].URL].Body))
}
