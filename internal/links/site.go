package links

// Site builds the absolute addresses of links. PublicURL has no slash at its end.
type Site struct{ PublicURL string }

// Page is the payer's page of a session.
func (s Site) Page(token string) string { return s.PublicURL + "/auth/" + token }

// Return is where a payer comes back from the issuer or a bank.
func (s Site) Return(token string) string { return s.PublicURL + "/return/" + token }

// Notify is where an acquirer's notification about one transaction comes in.
func (s Site) Notify(token string) string { return s.PublicURL + "/notify/" + token }
