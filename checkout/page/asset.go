package page

import (
	"net/http"

	"github.com/tollgatepay/gateway/checkout/page/internal/policy"
)

// asset serves one file. Pictures have their own policy, because an SVG that is opened directly is a document.
func (p *pages) asset(w http.ResponseWriter, r *http.Request) {
	file, ok := p.assets.Served[r.PathValue("file")]
	if !ok {
		policy.Secure(w.Header())
		plain(w, http.StatusNotFound)
		return
	}
	h := w.Header()
	h.Set("Content-Type", file.Kind)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(file.Body)
}
