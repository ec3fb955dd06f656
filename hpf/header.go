package hpf

// get returns the first value of a header.
func (r *Request) get(name string) string {
	if values := r.Header[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// token returns the session token. A request with two tokens has none.
func (r *Request) token() string {
	if values := r.Header["Token"]; len(values) == 1 {
		return values[0]
	}
	return ""
}

// fromBrowser reports whether a request has a header that browsers send and backends do not (decisions ah and bk).
// Sec-Fetch-Mode is not among them, because fetch of server-side runtimes sends it.
func (r *Request) fromBrowser() bool {
	for _, name := range []string{"Origin", "Sec-Fetch-Site", "Sec-Fetch-Dest", "Cookie",
		"Access-Control-Request-Method"} {
		if _, sent := r.Header[name]; sent {
			return true
		}
	}
	return false
}
