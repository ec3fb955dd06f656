package page

import (
	"testing"
	"testing/fstest"

	"github.com/go-playground/validator/v10"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/fields"
)

// Every language names every country of ISO 3166-1, each once.
func TestCountries(t *testing.T) {
	t.Parallel()
	check := validator.New()
	for _, texts := range offered {
		list := countryLists[texts.Lang]()
		require.Len(t, list, 249, texts.Lang)
		codes, names := map[string]bool{}, map[string]bool{}
		for _, o := range list {
			require.NoError(t, check.Var(o.Value, "iso3166_1_alpha2"), "%s: %s", texts.Lang, o.Value)
			require.NotEmpty(t, o.Name)
			codes[o.Value], names[o.Name] = true, true
		}
		require.Len(t, codes, 249)
		require.Len(t, names, 249, texts.Lang)
	}
}

func TestStatesAreKnown(t *testing.T) {
	t.Parallel()
	require.Len(t, statesOf, len(countriesWithStates))
	for country, least := range map[string]int{"US": 62, "CA": 13, "AU": 8, "JP": 47, "IN": 36} {
		require.Contains(t, countriesWithStates, country)
		require.GreaterOrEqual(t, len(statesOf[country]), least, country)
		seen := map[string]bool{}
		for _, state := range statesOf[country] {
			require.True(t, fields.IsState(country, state.Value), state.Name)
			require.False(t, seen[state.Value] || seen[state.Name], state.Name)
			seen[state.Value], seen[state.Name] = true, true
		}
	}
}

func TestReadAmount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typed, currency string
		texts           *Texts
		want            string
	}{
		{"10", "EUR", &english, "10.00"}, {" 10.5 ", "EUR", &english, "10.50"}, {"10,50", "EUR", &english, "10.50"},
		{"1234.50", "EUR", &english, "1234.50"}, {"10,50", "EUR", &german, "10.50"}, {"10.50", "EUR", &german, "10.50"},
		{"1,000", "EUR", &english, ""}, {"1.000", "EUR", &german, ""}, {"1.000", "KWD", &german, ""}, {"1,000", "KWD", &german, "1.000"},
		{"1,000", "KWD", &english, ""}, {"1.000", "KWD", &english, "1.000"}, {"1,000", "KWD", &french, "1.000"},
		{"1,234.50", "EUR", &english, ""}, {"1.234,50", "EUR", &german, ""}, {"1 234", "EUR", &english, ""}, {"1'234", "EUR", &english, ""},
		{"1000", "JPY", &japanese, "1000.00"}, {"١٢٫٥", "EUR", &arabic, "12.50"}, {"１２", "EUR", &japanese, "12.00"},
		{"10.505", "EUR", &english, "10.505"}, // the kernel says what is wrong
		{"0", "EUR", &english, ""}, {"0.00", "EUR", &english, ""}, {"-5", "EUR", &english, ""}, {"−5", "EUR", &english, ""}, {"–5", "EUR", &english, ""},
		{"", "EUR", &english, ""}, {".5", "EUR", &english, ""}, {"5.", "EUR", &english, ""}, {"1e3", "EUR", &english, ""}, {"EUR 5", "EUR", &english, ""},
		{"\u202e5", "EUR", &english, "5.00"}, {"0.000001", "USDT", &english, "0.000001"},
	} {
		got, err := c.texts.readAmount(c.typed, c.currency)
		require.Equal(t, c.want == "", err != nil, "%q %s", c.typed, c.currency)
		require.Equal(t, c.want, got, "%q %s", c.typed, c.currency)
	}
	require.Equal(t, "25,00", german.sampleAmount("EUR"))
	require.Equal(t, "25", japanese.sampleAmount("JPY"))
}

// The inventory has every script of every page, and each says what it is for.
func TestInventory(t *testing.T) {
	t.Parallel()
	set, err := loadAssets(nil)
	require.NoError(t, err)
	list := Inventory()
	require.Len(t, list, len(purposes))
	require.Len(t, list, 5)
	for _, script := range list {
		require.Regexp(t, `^page/assets/[a-z]+\.`+script.Version+`\.js$`, script.Path)
		require.Regexp(t, `^sha384-[A-Za-z0-9+/]{64}$`, script.Integrity)
		require.Regexp(t, `^[0-9a-f]{12}$`, script.Version)
		require.NotEmpty(t, script.Purpose)
	}
	for _, v := range []*View{{Form: &FormView{Methods: []MethodView{{Card: true}}}}, {Form: &FormView{}}, {Form: &FormView{Wallets: []WalletView{{}}}}, {Ask: &AskView{}}, {}} {
		v.assets = set
		for _, asset := range v.Scripts() {
			found := false
			for _, script := range list {
				found = found || script.Path == asset.URL && script.Integrity == asset.Integrity
			}
			require.True(t, found, asset.URL)
		}
	}
}

func TestOwnAssets(t *testing.T) {
	t.Parallel()
	ours, err := loadAssets(nil)
	require.NoError(t, err)
	set, err := loadAssets(fstest.MapFS{"page.css": {Data: []byte("a{}")}, "logo.png": {Data: []byte("x")}, "icon.svg": {Data: []byte("<svg/>")}})
	require.NoError(t, err)
	require.NotEqual(t, ours.Named["page.css"], set.Named["page.css"])
	require.Equal(t, ours.Named["page.js"], set.Named["page.js"])
	require.Equal(t, "a{}", string(set.Served[set.Named["page.css"].URL].Body))
	require.Equal(t, "image/png", set.Served[set.Named["logo.png"].URL].Kind)
	require.Equal(t, "<svg/>", string(set.Served[set.Named["icon.svg"].URL].Body))

	_, err = New(nil, Options{
		Assets:    fstest.MapFS{"page.js": {}, "x.html": {}, "a b.css": {}, "fonts/a.css": {}, "ok.css": {}},
		Templates: fstest.MapFS{},
	})
	for _, text := range []string{"asset page.js: only", "asset x.html: only", "asset a b.css: only", "asset fonts: only", "template form.html: missing"} {
		require.ErrorContains(t, err, text)
	}
	require.NotContains(t, err.Error(), "ok.css")
}
