package links

import (
	"errors"
	"net/url"
	"strings"

	"github.com/tollgatepay/gateway/internal/weburl"
)

// Site builds the absolute URLs of links. PublicURL has no slash at its end.
type Site struct{ PublicURL string }

// Page returns the URL of a session's page.
func (s Site) Page(token string) string { return s.PublicURL + "/auth/" + token }

// PageOf returns the URL of the page of a session, by its id and the secret of its link.
func (s Site) PageOf(id string, secret []byte) string {
	url := append(append(make([]byte, 0, 256), s.PublicURL...), "/auth/"...)
	return string(appendToken(url, id, secret))
}

// Return returns the URL where a payer comes back from the issuer or a bank.
func (s Site) Return(token string) string { return s.PublicURL + "/return/" + token }

// Notify returns the URL for an acquirer's notification about one transaction.
func (s Site) Notify(token string) string { return s.PublicURL + "/notify/" + token }

// CheckPublicURL returns what is wrong with the address that every link begins with.
func CheckPublicURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return errors.New("is not a URL")
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return errors.New("must be an absolute http or https URL, like https://pay.example")
	case u.User != nil || strings.ContainsAny(text, "?#"):
		return errors.New("must have no query, fragment or user information")
	case !weburl.Valid(text, weburl.Max):
		return errors.New("has a host, a port or characters that browsers do not take, or is too long")
	}
	return nil
}
