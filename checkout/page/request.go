package page

import (
	"errors"
	"net"
	"net/http"

	"github.com/tollgatepay/gateway/internal/bodylimit"
)

// The relative path to the mount point, from each kind of page. Links are relative because a handler behind
// http.StripPrefix cannot know its own prefix.
const (
	fromPage   = "../"    // /auth/x, /return/x
	fromCancel = "../../" // /auth/x/cancel, /auth/x/answer
)

// The relative path from a form's URL to its page.
const (
	fromForm  = "./"
	fromClose = "../"
)

// maxBody bounds every request body, in bytes.
const maxBody = 64 << 10

// secret returns the token of the path. Tokens are short and need no escaping; anything else is refused before the
// kernel is called, so it never gets into links and headers.
func secret(r *http.Request) (string, bool) {
	token := r.PathValue("token")
	if token == "" || len(token) > 256 || token[0] == '.' {
		return "", false
	}
	for i := range len(token) {
		switch c := token[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case c == '-', c == '_', c == '.', c == '~':
		default:
			return "", false
		}
	}
	return token, true
}

// parseForm fills r.Form and r.PostForm, and returns the status for a refusal.
func parseForm(w http.ResponseWriter, r *http.Request) int {
	r.Body = bodylimit.Reader(w, r, maxBody)
	err := r.ParseForm()
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		return http.StatusRequestEntityTooLarge
	case err != nil:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// pageLink returns the page of the request's own token.
func pageLink(from string, r *http.Request) string { return from + r.PathValue("token") }

// hostOf returns the host in the browser's request, without a port.
func hostOf(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.Host); err == nil {
		return host
	}
	return r.Host
}

// scripted reports whether the script of the wallets sent the request: it needs no page back.
func scripted(r *http.Request) bool { return r.Header.Get("Accept") == "application/json" }
