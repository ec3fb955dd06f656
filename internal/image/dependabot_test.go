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

// modules returns the folders of the modules of the repository.
func modules(t *testing.T) (folders []string) {
	t.Helper()
	require.NoError(t, fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		base := path.Base(name)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (strings.HasPrefix(base, ".") || base == "testdata" || base == "node_modules"):
			return fs.SkipDir
		case base == "go.mod":
			folders = append(folders, path.Dir(name))
		}
		return nil
	}))
	return folders
}

// Dependabot looks after every module of the repository.
func TestDependabot(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(root + "/.github/dependabot.yml")
	require.NoError(t, err)
	listed := regexp.MustCompile(`package-ecosystem: gomod\n +directories: \[(.*)\]`).FindStringSubmatch(string(text))
	require.NotNil(t, listed)
	var folders []string
	for _, module := range modules(t) {
		folders = append(folders, `"/`+strings.TrimPrefix(module, ".")+`"`)
	}
	require.ElementsMatch(t, folders, strings.Split(listed[1], ", "))
}

// A library has one version in all modules: with two, all that imports it is compiled, vetted and tested as two.
func TestModulesAgree(t *testing.T) {
	t.Parallel()
	required := regexp.MustCompile(`(?m)^(?:require |\t)(\S+) (v\S+)`)
	type use struct{ module, version string }
	first := map[string]use{} // by the path of the library
	for _, module := range modules(t) {
		text, err := os.ReadFile(path.Join(root, module, "go.mod"))
		require.NoError(t, err)
		found := required.FindAllStringSubmatch(string(text), -1)
		require.NotEmpty(t, found, module)
		for _, m := range found {
			library, version := m[1], m[2]
			if _, known := first[library]; !known {
				first[library] = use{module, version}
			}
			require.Equal(t, first[library].version, version, "%s of %s and of %s", library, first[library].module, module)
		}
	}
}
