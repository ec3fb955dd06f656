package page_test

import (
	"html"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page"
)

const formID = "2f1a9f0e-7b1c-4f57-9d5e-6a0c3f7e1b11"

// marked are templates that all contain a word.
func marked(t testing.TB, word string) fs.FS {
	t.Helper()
	own := fstest.MapFS{}
	for _, name := range page.TemplateNames() {
		text := `{{define "content"}}{{end}}`
		if name == "layout.html" {
			text = word + ` {{.Page}} {{template "content" .}}`
		}
		own[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return own
}

// Decision bn: a session's form_id selects one of the template sets that the host registered, on every page of the
// session; any other id, and none, gets the default.
func TestFormIDChoosesTemplates(t *testing.T) {
	t.Parallel()
	opts := page.Options{Templates: marked(t, "default"), Forms: map[string]fs.FS{formID: marked(t, "own")}}
	turns := map[string]gateway.NextAction{
		"form": {Kind: gateway.ActionCollect, Methods: formAction().Methods}, "wait": {Kind: gateway.ActionPoll},
		"result": {Kind: gateway.ActionReturn, Status: gateway.ReturnPaid}, "problem": {Kind: "no kind"},
	}
	for id, want := range map[string]string{
		formID: "own", "2F1A9F0E-7B1C-4F57-9D5E-6A0C3F7E1B11": "own", "": "default",
		"2f1a9f0e-7b1c-4f57-9d5e-6a0c3f7e1b12": "default",
	} {
		for name, next := range turns {
			next.FormID = id
			w := httptest.NewRecorder()
			page.Handler(&kernel{next: next}, opts).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/auth/"+token, nil))
			require.Contains(t, w.Body.String(), want+" "+name, "form_id %q", id)
		}
	}
}

// A mistake in the host's templates is reported when the handler is made.
func TestFormsAreChecked(t *testing.T) {
	t.Parallel()
	for name, forms := range map[string]map[string]fs.FS{
		`Options.Forms: "summer" is no UUID in lower case`:                               {"summer": marked(t, "")},
		`Options.Forms: "2F1A9F0E-7B1C-4F57-9D5E-6A0C3F7E1B11" is no UUID in lower case`: {"2F1A9F0E-7B1C-4F57-9D5E-6A0C3F7E1B11": marked(t, "")},
		"Options.Forms[" + formID + "]: template layout.html: missing":                   {formID: fstest.MapFS{}},
		"Options.Forms[" + formID + "]: no templates":                                    {formID: nil},
	} {
		_, err := page.New(&kernel{}, page.Options{Forms: forms})
		require.ErrorContains(t, err, name)
	}
}

// The tax in the amount is shown below it, in the payer's language and format.
func TestVATLine(t *testing.T) {
	t.Parallel()
	for language, want := range map[string]string{"en": "Includes VAT: $1.60 (19%)", "de": "Enthält MwSt.: 1,60",
		"ja": "うち消費税："} {
		next := in(language, formAction())
		next.Order.Amount, next.Order.Currency = "10.00", "USD"
		next.VAT = &gateway.ContainedVAT{Amount: "1.60", Rate: "19%"}
		w := httptest.NewRecorder()
		page.Handler(&kernel{next: next}, page.Options{}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/auth/"+token,
			nil))
		require.Contains(t, stripped(w.Body.String()), want)
		next.VAT = nil
		w = httptest.NewRecorder()
		page.Handler(&kernel{next: next}, page.Options{}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/auth/"+token,
			nil))
		require.NotContains(t, stripped(w.Body.String()), want)
	}
}

// stripped returns a page without the marks that keep the direction of writing.
func stripped(body string) string {
	return strings.NewReplacer("\u2068", "", "\u2069", "", "\u00a0", " ").Replace(html.UnescapeString(body))
}
