package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

const repositoryFolder = "../.."

func pages(t *testing.T) *site {
	t.Helper()
	s, err := read(os.DirFS(repositoryFolder))
	require.NoError(t, err)
	return s
}

// links are the places that a page leads to, what it loads, and the ids that it has.
type links struct {
	to, loads []string
	ids       map[string]bool
}

func linksOf(t *testing.T, text []byte) links {
	t.Helper()
	l := links{ids: map[string]bool{}}
	root, err := html.Parse(bytes.NewReader(text))
	require.NoError(t, err)
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			switch {
			case a.Key == "id":
				require.False(t, l.ids[a.Val], "twice the id %s", a.Val)
				l.ids[a.Val] = true
			case a.Key == "href" && n.Data == "a":
				l.to = append(l.to, a.Val)
			case a.Key == "href", a.Key == "src":
				l.loads = append(l.loads, a.Val)
			}
		}
	}
	return l
}

// faults are the links that lead nowhere, what comes from elsewhere, and pages that no link leads to.
func (s *site) faults(t *testing.T) (faults []string) {
	t.Helper()
	all := map[string]links{}
	for name, text := range s.files {
		if path.Ext(name) == ".html" {
			all[name] = linksOf(t, text)
		}
	}
	reached, open := map[string]bool{"index.html": true}, []string{"index.html"}
	for len(open) > 0 {
		name := open[0]
		open = open[1:]
		for _, link := range append(all[name].to, all[name].loads...) {
			target, fragment, _ := strings.Cut(link, "#")
			if strings.HasPrefix(link, "https://") || link == "data:," {
				continue
			}
			to := name
			if target != "" {
				to = path.Join(path.Dir(name), target)
			}
			if _, ok := s.files[to]; !ok || fragment != "" && !all[to].ids[fragment] {
				faults = append(faults, name+" has a link that leads nowhere: "+link)
			} else if !reached[to] {
				reached[to], open = true, append(open, to)
			}
		}
		for _, load := range all[name].loads {
			if strings.Contains(load, ":") && load != "data:," {
				faults = append(faults, name+" loads from elsewhere: "+load)
			}
		}
	}
	for name := range all {
		if !reached[name] {
			faults = append(faults, "no link leads to "+name)
		}
	}
	return faults
}

// Every link leads somewhere, every page is reached from the first one, and nothing is loaded from elsewhere.
func TestLinks(t *testing.T) {
	t.Parallel()
	s := pages(t)
	require.Empty(t, s.faults(t))
	require.NotRegexp(t, `url\(|@import`, string(s.files["reading.css"]))
	require.NotRegexp(t, `https?:|fetch\(|import\(`, string(s.files["reading.js"]))

	page := s.files["options.html"]
	for spoil, fault := range map[string]string{
		`<a href="no.html"></a>`:                 "options.html has a link that leads nowhere: no.html",
		`<a href="states.html#nothing"></a>`:     "options.html has a link that leads nowhere: states.html#nothing",
		`<img src="https://shop.example/a.png">`: "options.html loads from elsewhere: https://shop.example/a.png",
	} {
		s.files["options.html"] = bytes.Replace(page, []byte("<main"), []byte(spoil+"<main"), 1)
		require.Equal(t, []string{fault}, s.faults(t))
	}
	s.files["options.html"] = page
	s.files["lonely.html"] = page
	require.Equal(t, []string{"no link leads to lonely.html"}, s.faults(t))
}

// A document that has no page is a fault, and so is a link that leads nowhere.
func TestFaultsOfDocuments(t *testing.T) {
	t.Parallel()
	tree := fstest.MapFS{"docs/new.md": {Data: []byte("# New")}, "docs/a.md": {Data: []byte("[b](b.md)")}}
	require.ErrorContains(t, unplaced(tree), "docs/a.md stands on no shelf")
	_, err := readDocument(tree, "docs/a.md", "")
	require.ErrorContains(t, err, "a link leads nowhere: b.md")
	_, err = coloursOf(fstest.MapFS{paymentPage: {Data: []byte(":root { }")}})
	require.Error(t, err)
}

// The index has each field of the reference below the call that has it.
func TestIndex(t *testing.T) {
	t.Parallel()
	var list []found
	text := string(pages(t).files["index.js"])
	text = strings.TrimSuffix(strings.TrimPrefix(text, "globalThis.tollgateIndex = "), ";\n")
	require.NoError(t, json.Unmarshal([]byte(text), &list))
	sections := map[string]string{}
	for _, f := range list {
		sections[f.URL] += f.Text
	}
	for url, word := range map[string]string{"reference/s2s-card.html#sale": "payer_house_number",
		"reference/checkout.html#post-apiv1session": "session_expiry", "reference/errors.html": "100000",
		"guides/embed.html": "gatewayhttp.Options"} {
		require.Contains(t, sections[url], word)
	}
}

// What is written is what was made.
func TestWrite(t *testing.T) {
	t.Parallel()
	dir, s := t.TempDir(), pages(t)
	require.NoError(t, s.write(dir))
	n := 0
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			n++
			require.Contains(t, s.files, name)
		}
		return err
	}))
	require.Len(t, s.files, n)
	require.Regexp(t, regexp.QuoteMeta("--accent: #"), string(s.files["reading.css"]))
}
