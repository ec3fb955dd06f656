package image_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/require"
)

var addresses = regexp.MustCompile(`http://localhost:(\d+)(/[\w/]*)`)

// What the comment of a compose file says to open is there: at a port that a service publishes, where its server has a
// page. The server runs with the flags of the service, but on ports of its own and in memory.
func TestAddressesToOpen(t *testing.T) {
	t.Parallel()
	server, entrypoint, command := program(t)
	files, err := filepath.Glob(filepath.Join(root, "compose*.yaml"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		comment := regexp.MustCompile(`\A(#.*\n)+`).Find(text)
		named := addresses.FindAllSubmatch(comment, -1)
		require.NotEmpty(t, named, "%s names no address to open", file)
		project, err := load(t, types.ConfigFile{Filename: file})
		require.NoError(t, err)
		for _, address := range named {
			own, inside := published(t, project, string(address[1]))
			flags := slices.Concat(entrypoint, command, own)
			at := started(t, server, flags, inside)
			status, err := opened(t, at+string(address[2]))
			require.NoError(t, err)
			require.Equal(t, http.StatusOK, status, "%s: nothing is at %s", file, address[0])
		}
	}
}

// published returns the flags of the service that publishes a port, and the address at which its server listens for it.
func published(t *testing.T, project *types.Project, port string) (flags []string, inside string) {
	t.Helper()
	for _, s := range project.Services {
		for _, p := range s.Ports {
			if p.Published == port {
				return s.Command, fmt.Sprintf("0.0.0.0:%d", p.Target)
			}
		}
	}
	require.Failf(t, "no service publishes a port", "%s", port)
	return nil, ""
}

// started starts the server and returns where it now answers what it was to answer at an address.
func started(t *testing.T, server string, flags []string, inside string) (at string) {
	t.Helper()
	flags = append(flags, "-store", "memory", "-keys", "")
	for i, flag := range flags {
		switch flag {
		case "0.0.0.0:8080", "0.0.0.0:8081", "127.0.0.1:9090":
			flags[i] = free(t)
			if flag == inside {
				at = (&url.URL{Scheme: "http", Host: flags[i]}).String()
			}
		}
	}
	require.NotEmpty(t, at, "no server listens at %s", inside)
	running := exec.CommandContext(t.Context(), server, flags...)
	require.NoError(t, running.Start())
	t.Cleanup(func() {
		_ = running.Process.Kill()
		_ = running.Wait()
	})
	require.Eventually(t, func() bool {
		_, err := opened(t, at)
		return err == nil
	}, 60*time.Second, 100*time.Millisecond)
	return at
}

// opened asks for a page and returns its status.
func opened(t *testing.T, address string) (int, error) {
	t.Helper()
	ask, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	answer, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(ask)
	if err != nil {
		return 0, err
	}
	return answer.StatusCode, answer.Body.Close()
}
