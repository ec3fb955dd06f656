package clients_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	_ "github.com/oapi-codegen/runtime" // of the generated client
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/openapi"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store"
)

const guide = "../../docs/guides/generate-a-client.md"

// password is that of the merchant of the demo server, whose key is the kit's.
const password = "demo-merchant-password-0001"

// A client in Go is generated, compiled and pays.
func TestGo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		write(t, dir, name, text)
	}
	here, err := filepath.Abs("../..")
	require.NoError(t, err)
	run(t, dir, "go", "mod", "edit", "-module=shop", "-replace=github.com/tollgatepay/gateway="+here)
	write(t, dir, "openapi.json", openapi.Document())
	write(t, dir, "main.go", []byte(program(t, "go")))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "tollgate"), 0o700))
	run(t, dir, "go", "tool", "oapi-codegen", "-generate", "types,client,skip-prune", "-package", "tollgate",
		"-o", "tollgate/client.go", "openapi.json")
	run(t, dir, "go", "build", "-o", "pay", ".")
	pays(t, "GO", func(env ...string) string { return start(t, dir, env, filepath.Join(dir, "pay")) })
}

// A client in TypeScript is generated, is checked by the compiler and pays.
func TestTypeScript(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"package.json", "package-lock.json"} {
		text, err := os.ReadFile(filepath.Join("testdata/typescript", name))
		require.NoError(t, err)
		write(t, dir, name, text)
	}
	write(t, dir, "openapi.json", openapi.Document())
	write(t, dir, "pay.ts", []byte(program(t, "ts")))
	run(t, dir, "npm", "ci", "--no-audit", "--no-fund", "--prefer-offline")
	run(t, dir, "npx", "openapi-typescript", "openapi.json", "--output", "tollgate.d.ts")
	compile := []string{"tsc", "--strict", "--target", "es2022", "--module", "nodenext", "pay.ts"}
	run(t, dir, "npx", compile...)
	pays(t, "TS", func(env ...string) string { return start(t, dir, env, "node", "pay.js") })

	broken := strings.Replace(program(t, "ts"), `order_currency: "USD"`, `order_currency: 840`, 1)
	write(t, dir, "pay.ts", []byte(broken))
	check := exec.CommandContext(t.Context(), "npx", compile...)
	check.Dir = dir
	out, err := check.CombinedOutput()
	require.Error(t, err, "a wrong type compiles")
	require.Contains(t, string(out), "'number' is not assignable to type 'string'")
}

// The guide names the versions that were tried.
func TestVersions(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(guide)
	require.NoError(t, err)
	var npm struct{ Dependencies, DevDependencies map[string]string }
	list, err := os.ReadFile("testdata/typescript/package.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(list, &npm))
	for _, packages := range []map[string]string{npm.Dependencies, npm.DevDependencies} {
		require.NotEmpty(t, packages)
		for name, version := range packages {
			require.Contains(t, string(text), name+"@"+version)
		}
	}
	module, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	for _, name := range []string{"oapi-codegen/v2", "runtime"} {
		found := regexp.MustCompile(`github.com/oapi-codegen/` + name + ` (v\S+)`).FindSubmatch(module)
		require.NotNil(t, found, name)
		require.Regexp(t, regexp.QuoteMeta(name)+`\S*@`+regexp.QuoteMeta(string(found[1]))+`\s`, string(text))
	}
}

// pays runs a program against a gateway: its session is paid by the payer, its sale is settled.
func pays(t *testing.T, order string, program func(env ...string) string) {
	t.Helper()
	kit := gatewaytest.New(t)
	require.NoError(t, kit.SaveMerchant(t.Context(), store.Merchant{ID: gatewaytest.MerchantID, Name: "Larkfield",
		Key: gatewaytest.MerchantKey, Password: store.NewSecret(password), NotificationURL: gatewaytest.CallbackURL}))
	mux := http.NewServeMux()
	checkout.Register(mux, kit.Gateway)
	s2s.Register(mux, kit.Gateway)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)

	lines := strings.Split(program("GATEWAY="+server.URL, "PASSWORD="+password), "\n")
	require.Len(t, lines, 2)
	kit.Pay(t, lines[0], gatewaytest.Settles)
	require.Equal(t, store.Settled, kit.Payment(t, order+"-1").Status)
	require.Equal(t, "SUCCESS SETTLED", lines[1])
	sale := kit.Payment(t, order+"-2")
	require.Equal(t, store.Settled, sale.Status)
	require.Equal(t, "10.00", sale.Amount.String())
	kit.Work(t)
	require.Equal(t, "XL", kit.Inbox.Expect(t, order+"-2", "sale").Get("custom_data[cart][size]"))
}

// program is the code of the guide in a language.
func program(t *testing.T, language string) string {
	t.Helper()
	text, err := os.ReadFile(guide)
	require.NoError(t, err)
	found := regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	require.Len(t, found, 1)
	return found[0][1]
}

func write(t *testing.T, dir, name string, text []byte) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
}

func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, args...)
	command.Dir, command.Env = dir, append(os.Environ(), "GOWORK=off")
	out, err := command.CombinedOutput()
	require.NoError(t, err, "%s %s: %s", name, strings.Join(args, " "), out)
}

// start runs a program to its end and returns what it writes.
func start(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, args...)
	command.Dir, command.Env, command.Stderr = dir, append(os.Environ(), env...), os.Stderr
	out, err := command.Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}
