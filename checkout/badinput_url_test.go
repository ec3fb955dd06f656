package checkout_test

import "strings"

func badURL(name, url string) bad { return one(name, "success_url", url, "success_url"+notURL) }

// URLs (reliability.md, rows 74 to 78).
var badURLs = []bad{
	badURL("javascript", "javascript:alert(1)"),
	badURL("javascript with a host", "javascript://shop.example/%0aalert(1)"),
	badURL("data", "data:text/html,x"),
	badURL("file", "file:///etc/passwd"),
	badURL("ftp", "ftp://x.example/"),
	badURL("websocket", "wss://x.example/"),
	badURL("app link", "myapp://success"),
	badURL("no scheme", "//evil.example"),
	badURL("no scheme, backslash", `/\evil.example`),
	badURL("relative", "/success"),
	badURL("host alone", "shop.example"),
	badURL("words", "not a url"),
	badURL("opaque", "https:opaque"),
	badURL("no host", "https:///x"),
	badURL("no host at all", "https://"),
	badURL("scheme alone", "https:"),
	badURL("header injection", "https://ok.example\r\nSet-Cookie: a=b"),
	badURL("line feed in the query", "https://ok.example/?a=\nb"),
	badURL("tab", "https://ok.example/\tx"),
	badURL("space in the host", "https://ok .example/"),
	badURL("space in the path", "https://ok.example/a b"),
	badURL("space before", " https://ok.example/"),
	badURL("space after the URL", "https://ok.example/ "),
	badURL("right to left", "https://ok.example/\u202egnp.exe"),
	badURL("zero-width space", "https://ok\u200b.example/"),
	badURL("byte order mark", "\ufeffhttps://ok.example/"),
	badURL("user", "https://ok.example@evil.example/"),
	badURL("user and password", "https://user:secret@shop.example/"),
	badURL("empty user", "https://@shop.example/"),
	badURL("user after a backslash", `https://ok.example\@evil.example/`),
	badURL("backslash in the path", `https://ok.example/a\b`),
	badURL("port 0", "https://ok.example:0/"),
	badURL("port 99999", "https://ok.example:99999/"),
	badURL("port 65536", "https://ok.example:65536/"),
	badURL("empty port", "https://ok.example:/"),
	badURL("port in words", "https://ok.example:https/"),
	badURL("negative port", "https://ok.example:-1/"),
	badURL("zone", "https://[::1%25eth0]/"),
	badURL("open bracket", "https://[::1/"),
	badURL("circled digits", "http://①②⑦.0.0.1/"),
	badURL("escaped host", "https://ok%2eexample/"),
	badURL("broken escape", "https://ok.example/%zz"),
	badURL("1,025 characters", "https://ok.example/"+strings.Repeat("x", 1025-19)),
	badURL("a million characters", "https://ok.example/"+strings.Repeat("x", 1_000_000)),
	one("NUL", "success_url", raw(`"https://ok.example/\u0000"`), "success_url: must not contain NUL"),
	one("empty success_url", "success_url", "", "success_url"+blank),
	{name: "no success_url", edits: []edit{drop("success_url")}, want: []string{"success_url" + blank}},
}

// badTargets returns the redirects that every URL field of a session refuses.
func badTargets() (rows []bad) {
	for _, field := range []string{"success_url", "cancel_url", "expiry_url", "error_url"} {
		for name, url := range map[string]string{
			"javascript: URL": "javascript:alert(1)", "data: URL": "data:text/html,<script>alert(1)</script>",
			"vbscript: URL":            "vbscript:x",
			"host alone after slashes": "//evil.example", "backslashes": `https:\\evil.example`,
			"backslash and slash":     `/\evil.example`,
			"backslash before a host": `https://shop.example\@evil.example`, "CR LF": "https://shop.example/\r\nSet-Cookie: a=b",
			"line feed": "https://shop.example/\n", "tab within the scheme": "java\tscript:alert(1)",
			"DEL":       "https://shop.example/\x7f",
			"next line": "https://shop.example/\u0085", "user info": "https://shop.example@evil.example/",
			"user with a password":    "https://u:p@shop.example/",
			"1,025 characters in all": "https://ok.example/" + strings.Repeat("x", 1025-19), "path alone": "/done",
			"empty host": "https:///done",
		} {
			rows = append(rows, one(name, field, url, field+notURL))
		}
		rows = append(rows, one("escaped NUL", field, raw(`"https://shop.example/\u0000"`), field+": must not contain NUL"))
		rows = append(rows, one("list of one", field, raw(`["https://shop.example/"]`), field+notString))
	}
	return rows
}
