package image_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Dependabot looks after every module of the repository.
func TestDependabot(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(root + "/.github/dependabot.yml")
	require.NoError(t, err)
	listed := regexp.MustCompile(`package-ecosystem: gomod\n +directories: \[(.*)\]`).FindStringSubmatch(string(text))
	require.NotNil(t, listed)
	var folders []string
	require.NoError(t, fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		base := path.Base(name)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (strings.HasPrefix(base, ".") || base == "testdata" || base == "node_modules"):
			return fs.SkipDir
		case base == "go.mod":
			folders = append(folders, `"/`+strings.TrimPrefix(path.Dir(name), ".")+`"`)
		}
		return nil
	}))
	require.ElementsMatch(t, folders, strings.Split(listed[1], ", "))
}
