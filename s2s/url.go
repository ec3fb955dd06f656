package s2s

import "github.com/tollgatepay/gateway/internal/weburl"

// isURL takes absolute http and https URLs that a browser may be sent to, of so many characters.
func isURL(longest int) rule {
	return func(_ *reading, value string) string {
		return sound(weburl.Valid(value, longest), textURL)
	}
}
