package image_test

import (
	"debug/elf"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	"github.com/stretchr/testify/require"
)

const root = "../.."

// read parses a Dockerfile and returns its stages, with what the linter says.
func read(t *testing.T, text string) (stages []instructions.Stage, warnings []string) {
	t.Helper()
	file, err := parser.Parse(strings.NewReader(text))
	require.NoError(t, err)
	for _, w := range file.Warnings {
		warnings = append(warnings, w.Short)
	}
	lint := linter.New(&linter.Config{Warn: func(rule, _, _, message string, _ []parser.Range) {
		warnings = append(warnings, rule+": "+message)
	}})
	stages, _, err = instructions.Parse(file.AST, lint)
	require.NoError(t, err)
	return stages, warnings
}

func dockerfile(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "Dockerfile"))
	require.NoError(t, err)
	return string(text)
}

// of are the commands of a type in a stage.
func of[T any](s instructions.Stage) (list []T) {
	for _, c := range s.Commands {
		if c, ok := c.(T); ok {
			list = append(list, c)
		}
	}
	return list
}

// The image holds one program and nothing else, is not root, and knows how to ask whether it works.
func TestDockerfile(t *testing.T) {
	t.Parallel()
	stages, warnings := read(t, dockerfile(t))
	require.Empty(t, warnings)
	_, warnings = read(t, "FROM scratch as x\nMAINTAINER me\n")
	require.NotEmpty(t, warnings, "the linter finds nothing")

	last := stages[len(stages)-1]
	require.Equal(t, "scratch", last.BaseName)
	users := of[*instructions.UserCommand](last)
	require.Len(t, users, 1)
	require.Equal(t, "65532:65532", users[0].User)
	require.Equal(t, []string{"/data"}, of[*instructions.VolumeCommand](last)[0].Volumes)
	require.Equal(t, []string{"CMD", "/server", "-check", "127.0.0.1:9090"},
		of[*instructions.HealthCheckCommand](last)[0].Health.Test)
	require.Empty(t, of[*instructions.RunCommand](last), "there is no shell")
}

// program builds what the Dockerfile builds, and returns it with the flags that the image gives it.
func program(t *testing.T) (server string, entrypoint, flags []string) {
	t.Helper()
	stages, _ := read(t, dockerfile(t))
	build, last := stages[0], stages[len(stages)-1]
	server = filepath.Join(t.TempDir(), "server")
	args := strings.Fields(strings.ReplaceAll(of[*instructions.RunCommand](build)[0].CmdLine[0], `"`, ""))
	args = slices.DeleteFunc(args[:slices.Index(args, "&&")], func(arg string) bool { return arg == "-w" })
	args[slices.Index(args, "/out/server")] = server
	run := exec.CommandContext(t.Context(), args[0], args[1:]...)
	run.Dir, run.Env = filepath.Join(root, "examples/server"), append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	out, err := run.CombinedOutput()
	require.NoError(t, err, string(out))
	return server, of[*instructions.EntrypointCommand](last)[0].CmdLine[1:], of[*instructions.CmdCommand](last)[0].CmdLine
}

// What the Dockerfile builds is static, starts with the flags of the image, and is well by its own check.
func TestProgramOfTheImage(t *testing.T) {
	t.Parallel()
	server, entrypoint, command := program(t)
	program, err := elf.Open(server)
	require.NoError(t, err)
	defer func() { _ = program.Close() }()
	for _, part := range program.Progs {
		require.NotEqual(t, elf.PT_INTERP, part.Type, "the program needs a loader")
	}

	flags := slices.Concat(entrypoint, command)
	ops := free(t)
	places := map[string]string{"bolt:/data/tollgate.db": "bolt:" + filepath.Join(t.TempDir(), "tollgate.db"),
		"127.0.0.1:9090": ops, "0.0.0.0:8080": "127.0.0.1:0", "0.0.0.0:8081": "127.0.0.1:0"}
	for i, flag := range flags {
		if place, ok := places[flag]; ok {
			flags[i] = place
			delete(places, flag)
		}
	}
	require.Empty(t, places, "the image has other flags")
	require.Error(t, exec.CommandContext(t.Context(), server, "-check", ops).Run(), "nothing is there yet")
	running := exec.CommandContext(t.Context(), server, flags...)
	require.NoError(t, running.Start())
	t.Cleanup(func() {
		_ = running.Process.Kill()
		_ = running.Wait()
	})
	require.Eventually(t, func() bool {
		return exec.CommandContext(t.Context(), server, "-check", ops).Run() == nil
	}, 60*time.Second, 100*time.Millisecond)
}

func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}
