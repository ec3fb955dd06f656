package links

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
