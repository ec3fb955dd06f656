package postgres_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/url"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store/postgres"
)

// certify writes a key and a certificate of a server at an address, which signs itself.
func certify(t *testing.T, folder, name string, address net.IP) (certificate, key string) {
	t.Helper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{address},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, secret.Public(), secret)
	require.NoError(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(secret)
	require.NoError(t, err)
	write := func(file, kind string, bytes []byte) string {
		file = filepath.Join(folder, name+file)
		require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: bytes}), 0o600))
		own(t, file)
		return file
	}
	return write(".crt", "CERTIFICATE", signed), write(".key", "PRIVATE KEY", private)
}

// own gives a file to the user who runs servers, where that is another.
func own(t *testing.T, file string) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	owner, err := user.Lookup("postgres")
	require.NoError(t, err)
	uid, err := strconv.Atoi(owner.Uid)
	require.NoError(t, err)
	require.NoError(t, os.Chown(file, uid, -1))
}

// loopback returns an address of this machine, of this process, whose last number is given.
func loopback(last byte) net.IP {
	return net.IPv4(127, byte(os.Getpid()>>8), byte(os.Getpid()), last) // all of 127 is this machine
}

// serve starts a server at such an address.
func serve(t *testing.T, last byte, settings map[string]string) net.IP {
	t.Helper()
	address := loopback(last)
	settings["listen_addresses"] = address.String()
	require.NoError(t, newCluster(t, "").Start(settings))
	return address
}

// A server without TLS says what is wrong and not that it has no TLS, unless that is what is wrong.
func TestErrorsWithoutTLS(t *testing.T) {
	t.Parallel()
	const noise = "tls error"
	at := serve(t, 9, map[string]string{}).String()
	for _, c := range []struct{ name, url, want, not string }{
		{"role", "nobody@" + at + "/postgres", `role "nobody" does not exist`, noise},
		{"database", "postgres@" + at + "/none", `database "none" does not exist`, noise},
		{"read-only", "postgres@" + at + "/postgres?options=-c%20default_transaction_read_only%3Don",
			"read only connection", noise},
		{"two servers", "nobody@" + at + "," + at + "/postgres", `role "nobody" does not exist`, noise},
		{"TLS is asked for", "postgres@" + at + "/postgres?sslmode=require", noise + ": server refused TLS", "FATAL"},
		{"TLS is asked for twice", "postgres@" + at + "," + at + "/postgres?sslmode=require", noise, "FATAL"},
		{"no TLS is asked for", "postgres@" + at + "/none?sslmode=disable", `database "none" does not exist`, noise},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := postgres.Open(t.Context(), postgres.Config{URL: "postgres://" + c.url, Connections: 6})
			require.ErrorContains(t, err, "postgres: connect: failed to connect")
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), c.not)
		})
	}
}

// TestTLS: a store connects with TLS as its URL says, and not to a server whose certificate is another, or that has
// none.
func TestTLS(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	require.NoError(t, os.Chmod(filepath.Dir(folder), 0o755)) // the server is another user
	require.NoError(t, os.Chmod(folder, 0o755))
	own := net.IPv4(127, byte(os.Getpid()>>8), byte(os.Getpid()), 5)
	certificate, key := certify(t, folder, "server", own)
	another, _ := certify(t, folder, "another", own)
	secure := serve(t, 5, map[string]string{"ssl": "on", "ssl_cert_file": certificate, "ssl_key_file": key})
	require.True(t, own.Equal(secure))
	plain := serve(t, 2, map[string]string{})
	for _, c := range []struct {
		name, mode, root string
		address          net.IP
		refused          string
	}{
		{"its own certificate", "verify-full", certificate, secure, ""},
		{"without looking at it", "require", "", secure, ""},
		{"another certificate", "verify-full", another, secure, "certificate"},
		{"a server without TLS", "require", "", plain, "server refused TLS"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := postgres.Open(t.Context(), postgres.Config{Connections: 6, Schema: newSchema(t),
				URL: fmt.Sprintf("postgres://postgres@%s/postgres?sslmode=%s&sslrootcert=%s", c.address, c.mode,
					url.QueryEscape(c.root))})
			if c.refused != "" {
				require.ErrorContains(t, err, c.refused)
				return
			}
			require.NoError(t, err)
			require.NoError(t, s.Update(t.Context(), increment("n")))
			require.Zero(t, ask[int64](t, "postgres://postgres@"+c.address.String()+"/postgres?sslmode=prefer",
				"select count(*) from pg_stat_ssl join pg_stat_activity using (pid) "+
					"where application_name = 'tollgate' and not ssl"))
			require.NoError(t, s.Close())
		})
	}
}
