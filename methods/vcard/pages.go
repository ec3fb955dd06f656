package vcard

import (
	"html/template"
	"net/http"
	"net/url"
)

// Pages serves the simulated 3-D Secure page (/acs), the bank page (/bank), the page that plays the payer's app or
// bank of a displayed payment (/pay), and their assets, below the path of Config.PublicURL: mount it there with
// http.StripPrefix. The pages work without JavaScript and keep their state in the ledger.
func (c *Connector) Pages() http.Handler {
	p := pages{c, template.Must(template.ParseFS(files, "pages/*.html"))}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /acs", p.acs)
	mux.HandleFunc("POST /acs/decision", p.acsDecision)
	mux.HandleFunc("GET /bank", p.bank)
	mux.HandleFunc("POST /bank/decision", p.bankDecision)
	mux.HandleFunc("GET /pay", p.pay)
	mux.HandleFunc("POST /pay/decision", p.payDecision)
	mux.HandleFunc("GET /style.css", p.file("text/css; charset=utf-8"))
	mux.HandleFunc("GET /forward.js", p.file(scriptType))
	return mux
}

func (p pages) acs(w http.ResponseWriter, r *http.Request) {
	if v, ok := p.visit(w, r, useACS); ok {
		p.ask(w, r, v, ownForms, view{
			Title: "Confirm your payment", Action: "/acs/decision", Confirm: "Confirm", Fail: "Fail authentication",
			Lead:   "This is a simulated 3-D Secure page of a test card issuer. No money moves.",
			Hidden: []field{{"PaReq", v.token}, {"MD", v.reference}, {"TermUrl", v.back}},
		})
	}
}

func (p pages) bank(w http.ResponseWriter, r *http.Request) {
	if v, ok := p.visit(w, r, useBank); ok {
		p.ask(w, r, v, openForms, view{
			Title: "Pay at your bank", Action: "/bank/decision", Confirm: "Confirm", Fail: "Cancel payment",
			Lead:   "This is a simulated page of a test bank. No money moves.",
			Hidden: []field{{"ticket", v.token}, {"payment", v.reference}, {"back", v.back}},
		})
	}
}

func (p pages) acsDecision(w http.ResponseWriter, r *http.Request) {
	v, ok := p.visit(w, r, useACS)
	if !ok {
		return
	}
	e, err := p.decide(r, v)
	if err != nil {
		p.refuse(w, err)
		return
	}
	p.show(w, http.StatusOK, openForms, "forward.html", view{
		Title: "Returning to the shop", Action: v.back,
		Hidden: []field{{"PaRes", p.acquirer.sign("PaRes", e.Reference)}, {"MD", e.Reference}},
	})
}

func (p pages) bankDecision(w http.ResponseWriter, r *http.Request) {
	v, ok := p.visit(w, r, useBank)
	if !ok {
		return
	}
	e, err := p.decide(r, v)
	if err != nil {
		p.refuse(w, err)
		return
	}
	back, err := url.Parse(v.back)
	if err != nil || back.Scheme != "http" && back.Scheme != "https" {
		p.refuse(w, errForged)
		return
	}
	query := back.Query()
	query.Set("payment", e.Reference)
	query.Set("proof", p.acquirer.sign("proof", e.Reference))
	back.RawQuery = query.Encode()
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.Redirect(w, r, back.String(), http.StatusSeeOther)
}
