package hpf

// get is the first value of a header.
func (r *Request) get(name string) string {
	if values := r.Header[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// token is the session token. A request with two of them has none.
func (r *Request) token() string {
	if values := r.Header["Token"]; len(values) == 1 {
		return values[0]
	}
	return ""
}

// fromBrowser reports a request with a header that browsers send and backends do not (decisions ah and bk).
// Sec-Fetch-Mode is not among them: the fetch of server-side runtimes sends it.
func (r *Request) fromBrowser() bool {
	for _, name := range []string{"Origin", "Sec-Fetch-Site", "Sec-Fetch-Dest", "Cookie",
		"Access-Control-Request-Method"} {
		if _, sent := r.Header[name]; sent {
			return true
		}
	}
	return false
}
