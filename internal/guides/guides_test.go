package guides_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store"
)

// password is that of the merchant of the demo server, whose key is the kit's.
const password = "demo-merchant-password-0001"

func open(t *testing.T) (*gatewaytest.Kit, *httptest.Server) {
	t.Helper()
	kit := gatewaytest.New(t)
	require.NoError(t, kit.SaveMerchant(t.Context(), store.Merchant{ID: gatewaytest.MerchantID, Name: "Larkfield",
		Key: gatewaytest.MerchantKey, Password: store.NewSecret(password), NotificationURL: gatewaytest.CallbackURL}))
	mux := http.NewServeMux()
	checkout.Register(mux, kit.Gateway)
	s2s.Register(mux, kit.Gateway)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return kit, server
}

// blocks are the pieces of code of a page in a language.
func blocks(t *testing.T, page, language string) (list []string) {
	t.Helper()
	for _, found := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(text(t, page), -1) {
		list = append(list, found[1])
	}
	require.NotEmpty(t, list, "%s has no code in %s", page, language)
	return list
}

func text(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../docs", page))
	require.NoError(t, err)
	return string(text)
}

func shell(t *testing.T, script string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "bash", "-c", "set -eu\n"+script).Output()
	require.NoError(t, err, script)
	return strings.TrimSpace(string(out))
}

// The first payment: both commands, as they stand.
func TestFirstPayment(t *testing.T) {
	t.Parallel()
	kit, server := open(t)
	commands := blocks(t, "guides/first-payment.md", "sh")
	require.Len(t, commands, 2)
	var answers []string
	for _, command := range commands {
		require.Contains(t, command, "http://localhost:8080")
		command = strings.NewReplacer("curl ", "curl -s ", "http://localhost:8080", server.URL).Replace(command)
		answers = append(answers, shell(t, command))
	}
	require.Contains(t, answers[0], `"redirect_url":"`+gatewaytest.PublicURL+"/auth/")
	require.Contains(t, answers[1], `"result":"SUCCESS","status":"SETTLED"`)
	require.Equal(t, store.Settled, kit.Payment(t, "ORDER-2").Status)
}

// The signed request of the reference: what it prints is what the page says, and it opens a session that can be paid.
func TestSignedRequest(t *testing.T) {
	t.Parallel()
	kit, server := open(t)
	page, err := os.ReadFile("../../docs/reference/README.md")
	require.NoError(t, err)
	steps := blocks(t, "reference/README.md", "sh")
	require.Len(t, steps, 3)
	printed := shell(t, steps[0])
	require.Len(t, strings.Split(printed, "\n"), 3)
	require.Contains(t, string(page), "\n```\n"+printed+"\n```\n")
	mac := strings.NewReplacer("md5sum", "openssl md5 -r", "sha1sum", "openssl sha1 -r").Replace(steps[0])
	require.Equal(t, printed, shell(t, mac))

	send := strings.NewReplacer("curl ", "curl -s ", "http://localhost:8080", server.URL).Replace(steps[1])
	answer := shell(t, steps[0]+send)
	link := regexp.MustCompile(`{"redirect_url":"([^"]+)"}`).FindStringSubmatch(answer)
	require.NotNil(t, link, answer)
	ask := steps[0] + strings.NewReplacer("curl ", "curl -s ", "http://localhost:8080", server.URL).Replace(steps[2])
	require.Contains(t, shell(t, ask), "Order does not exist.", "the page is not submitted yet")
	kit.Pay(t, link[1], gatewaytest.Settles)
	require.Contains(t, shell(t, ask), `"status":"settled"`)
	require.Contains(t, shell(t, ask), `"payment_id":"`+kit.Payment(t, "ORDER-1").ID+`"`)
	require.Contains(t, shell(t, "hash=0123\n"+send), "hash: Hash is not valid.")
}

// The tests that guides show pass.
func TestShownTests(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"guides/test-your-shop.md", "guides/write-a-connector.md"} {
		file := filepath.Join(t.TempDir(), "shown_test.go")
		require.NoError(t, os.WriteFile(file, []byte(blocks(t, page, "go")[0]), 0o600))
		out, err := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-v", file).CombinedOutput()
		require.NoError(t, err, "%s: %s", page, out)
		require.Contains(t, string(out), "--- PASS", page)
	}
}

// The program of the guide about embedding starts and serves.
func TestEmbed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	code := blocks(t, "guides/embed.md", "go")[0]
	file, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	address := serve(t, func(port string) []string {
		moved := strings.NewReplacer("localhost:8080", "127.0.0.1:"+port, `"tollgate.`, `"`+dir+`/tollgate.`).Replace(code)
		require.NoError(t, os.WriteFile(file, []byte(moved), 0o600))
		out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, file).CombinedOutput()
		require.NoError(t, err, string(out))
		return []string{program}
	})
	require.Contains(t, shell(t, "curl -s http://"+address+"/openapi.json"), `"openapi": "3.1.0"`)
	require.Contains(t, shell(t, "curl -s -H 'Content-Type: application/json' -d '{}' http://"+address+"/api/v1/session"),
		"merchant_key: This value should not be blank.")
}

// The functions of the page about signing compute what the library does.
func TestSigning(t *testing.T) {
	t.Parallel()
	code := blocks(t, "reference/signing.md", "sh")
	order := signature.Inputs{OrderNumber: "ORDER-1", OrderID: "ORDER-1", Amount: "10.00", Currency: "USD",
		Description: "Important gift", Email: "doe@example.com", Card: "4111111111111111", TransID: "0190a-b",
		Identifier: "success@gmail.com"}
	formulas := []signature.Formula{signature.CheckoutSession, signature.Card1, signature.Card2, signature.APMSale,
		signature.APMTrans}
	require.Len(t, code, 1+len(formulas))
	for i, formula := range formulas {
		require.Equal(t, signature.Sign(formula, signature.MD5, order, password),
			shell(t, "trans_id=0190a-b\n"+code[0]+code[i+1]), formula)
	}
}

// Each endpoint believes a callback of a payment, and nothing else.
func TestReceivers(t *testing.T) {
	t.Parallel()
	kit, _ := open(t)
	kit.Pay(t, kit.Session(t, "ORDER-1", "10.00"), gatewaytest.Settles)
	kit.Work(t)
	sent := kit.Inbox.All()
	require.Len(t, sent, 1)
	body := string(sent[0].Body)
	forged := strings.Replace(body, "10.00", "1.00", 1)
	require.NotEqual(t, body, forged)
	for _, c := range []struct {
		language, file string
		command        func(file, port string) []string
	}{
		{"go", "main.go", func(file, _ string) []string { return []string{"go", "run", file} }},
		{"php", "endpoint.php", func(file, port string) []string { return []string{"php", "-S", "127.0.0.1:" + port, file} }},
		{"js", "endpoint.js", func(file, _ string) []string { return []string{"node", file} }},
		{"python", "endpoint.py", func(file, _ string) []string { return []string{"python3", file} }},
	} {
		t.Run(c.language, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), c.file)
			require.NoError(t, os.WriteFile(file, []byte(blocks(t, "guides/receive-callbacks.md", c.language)[0]), 0o600))
			address := serve(t, func(port string) []string { return c.command(file, port) })
			require.Equal(t, "200 OK", post(t, address, body))
			require.Equal(t, "403 ERROR", post(t, address, forged))
			require.Regexp(t, "^40[03] ERROR$", post(t, address, "order_number=ORDER-1"))
			require.Equal(t, "200 OK", post(t, address, body), "again")
		})
	}
}

// serve starts an endpoint and returns its address once it answers.
func serve(t *testing.T, command func(port string) []string) string {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := free.Addr().String()
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	require.NoError(t, free.Close())
	args := command(port)
	run := exec.Command(args[0], args[1:]...)
	run.Env = append(os.Environ(), "PORT="+port, "PASSWORD="+password)
	run.Stdout, run.Stderr = io.Discard, io.Discard
	inGroup(run)
	require.NoError(t, run.Start())
	t.Cleanup(func() { endGroup(run) })
	require.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}, 90*time.Second, 20*time.Millisecond, "%s does not answer", args[0])
	return address
}

func post(t *testing.T, address, body string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+"/", strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	answer, err := (&http.Client{Transport: transport}).Do(r)
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return fmt.Sprintf("%d %s", answer.StatusCode, strings.TrimSpace(string(text)))
}
