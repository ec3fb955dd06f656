package image_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/require"
)

// load reads a compose file as docker compose does, which checks it against the specification of such files.
func load(t *testing.T, file types.ConfigFile) (*types.Project, error) {
	t.Helper()
	folder, err := filepath.Abs(root)
	require.NoError(t, err)
	return loader.LoadWithContext(t.Context(), types.ConfigDetails{WorkingDir: folder,
		ConfigFiles: []types.ConfigFile{file}}, func(o *loader.Options) { o.SetProjectName("tollgate", true) })
}

// Each compose file is valid, has its services locked up, waits only for services that can tell that they are well, and
// gives the server flags that it takes and files that are in a volume.
func TestCompose(t *testing.T) {
	t.Parallel()
	_, err := load(t, types.ConfigFile{Content: []byte("services: {a: {image: b, port: 1}}")})
	require.Error(t, err, "the loader finds nothing")
	server, entrypoint, command := program(t)
	files, err := filepath.Glob(filepath.Join(root, "compose*.yaml"))
	require.NoError(t, err)
	require.Len(t, files, 2)
	ours := 0
	for _, file := range files {
		project, err := load(t, types.ConfigFile{Filename: file})
		require.NoError(t, err)
		for name, s := range project.Services {
			for _, port := range s.Ports {
				require.Equal(t, "127.0.0.1", port.HostIP, "%s: %s", file, name)
			}
			for other, how := range s.DependsOn {
				require.Equal(t, types.ServiceConditionHealthy, how.Condition)
				require.NotNil(t, project.Services[other].HealthCheck, "%s: %s", file, other)
			}
			if s.Build == nil {
				require.Contains(t, s.Image, ":", "a version")
				continue
			}
			ours++
			require.True(t, s.ReadOnly, "%s: %s", file, name)
			require.Equal(t, []string{"ALL"}, s.CapDrop)
			require.Equal(t, []string{"no-new-privileges:true"}, s.SecurityOpt)
			flags := slices.Concat(entrypoint, command)
			if s.Command != nil {
				flags = slices.Concat(entrypoint, s.Command)
			}
			requireFlags(t, server, flags)
			requireKept(t, s, flags)
		}
	}
	require.Equal(t, 3, ours)
}

// requireFlags requires that the server understands its flags: it then asks a port where nothing is.
func requireFlags(t *testing.T, server string, flags []string) {
	t.Helper()
	flags = append(slices.Clone(flags), "-check", free(t))
	out, err := exec.CommandContext(t.Context(), server, flags...).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "connection refused", "%v", flags)
}

// requireKept requires that the last store and key file among the flags, which count, are in a volume or a database.
func requireKept(t *testing.T, s types.ServiceConfig, flags []string) {
	t.Helper()
	last := map[string]string{}
	for i, flag := range flags {
		if i > 0 && strings.HasPrefix(flags[i-1], "-") {
			last[flags[i-1]] = strings.TrimPrefix(flag, "bolt:")
		}
	}
	for _, flag := range []string{"-store", "-keys"} {
		path, given := last[flag]
		if !given || strings.Contains(path, "://") {
			continue
		}
		require.True(t, slices.ContainsFunc(s.Volumes, func(v types.ServiceVolumeConfig) bool {
			return v.Target == filepath.Dir(path)
		}), "%s of %s is in no volume", flag, s.Name)
	}
}
