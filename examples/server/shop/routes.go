package shop

import "net/http"

// Register adds the routes of the shop to mux, for the origin that it may share with the gateway.
func (s *Shop) Register(mux *http.ServeMux) { s.routes(mux, false) }

// Own returns the whole shop for its own origin, where its pages take cards.
func (s *Shop) Own() http.Handler {
	mux := http.NewServeMux()
	s.routes(mux, true)
	mux.HandleFunc("POST /products/{id}/fields", s.own(s.begin))
	mux.HandleFunc("GET /orders/{number}/pay", s.payPage)
	mux.HandleFunc("POST /orders/{number}/pay", s.own(s.pay))
	mux.HandleFunc("GET /orders/{number}/return", s.returned)
	return mux
}

func (s *Shop) routes(mux *http.ServeMux, own bool) {
	mux.HandleFunc("GET /{$}", s.home)
	mux.HandleFunc("GET /products/{id}", s.product(own))
	mux.HandleFunc("POST /products/{id}", s.own(s.buy))
	mux.HandleFunc("GET /orders", s.list)
	mux.HandleFunc("GET /orders/{number}", s.order)
	mux.HandleFunc("POST /orders/{number}/{action}", s.own(s.act))
	mux.HandleFunc("GET /orders/{number}/{ending}", s.ending)
	mux.HandleFunc("GET /callbacks", s.received)
	mux.HandleFunc("POST /demo/callback", s.receive)
	mux.HandleFunc("GET /demo/callbacks", s.export)
	mux.HandleFunc("GET /shop/{file}", s.asset)
}

// maxForm is the most bytes that a browser may send.
const maxForm = 16 << 10

// own allows only the shop's own forms, and reads them.
func (s *Shop) own(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if s.origin.Check(r) != nil {
			s.problem(w, r, http.StatusForbidden, "This form did not come from the shop.")
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		if r.ParseForm() != nil {
			s.problem(w, r, http.StatusBadRequest, "The form could not be read.")
			return
		}
		next(w, r)
	}
}
