package texts

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// sameAsEnglish are the words that a language may share with English: at most 15, and none so far.
var sameAsEnglish []string

var verb = regexp.MustCompile(`%[-+# 0-9.]*[a-zA-Z%]`)

// walk collects every text below a value, by its path.
func walk(v reflect.Value, path string, found map[string]string) {
	switch v.Kind() {
	case reflect.String:
		found[path] = v.String()
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[Plural]() {
			return // languages have different forms: TestPluralForms
		}
		for i := range v.NumField() {
			walk(v.Field(i), path+"."+v.Type().Field(i).Name, found)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			walk(v.MapIndex(key), fmt.Sprintf("%s[%v]", path, key), found)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			walk(v.Index(i), fmt.Sprintf("%s[%d]", path, i), found)
		}
	default:
		found[path] = "" // a kind that this walk does not know counts as a missing text
	}
}

// attributes are no texts.
var attributes = []string{".Lang", ".Dir"}

func textsByPath(t *Texts) map[string]string {
	found := map[string]string{}
	walk(reflect.ValueOf(*t), "", found)
	for _, path := range attributes {
		delete(found, path)
	}
	return found
}

// faultsOf compares a language with English and returns its faults.
func faultsOf(t *Texts) []string {
	var faults []string
	theirs, ours := textsByPath(t), textsByPath(&english)
	for path, text := range ours {
		own, ok := theirs[path]
		switch {
		case !ok, strings.TrimSpace(own) == "":
			faults = append(faults, path+": missing")
		case own != strings.TrimSpace(own):
			faults = append(faults, path+": space at an end")
		case !slices.Equal(verb.FindAllString(own, -1), verb.FindAllString(text, -1)):
			faults = append(faults, path+": other placeholders than in English")
		case t != &english && own == text && !slices.Contains(sameAsEnglish, own):
			faults = append(faults, path+": as in English: "+own)
		}
	}
	for path := range theirs {
		if _, ok := ours[path]; !ok {
			faults = append(faults, path+": not in English")
		}
	}
	slices.Sort(faults)
	return faults
}

func TestEveryTextInEveryLanguage(t *testing.T) {
	t.Parallel()
	require.Len(t, offered, 21)
	require.LessOrEqual(t, len(sameAsEnglish), 15)
	require.Greater(t, len(textsByPath(&english)), 130)
	for _, texts := range offered {
		t.Run(texts.Lang, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, faultsOf(texts))
			require.Equal(t, texts.Lang == "ar", texts.Dir == "rtl")
			require.Contains(t, []string{"ltr", "rtl"}, texts.Dir)
		})
	}
}

// The walk finds planted faults.
func TestWalkCanFail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(*Texts)
		fault  string
	}{
		{"missing", func(t *Texts) { t.Pay = "" }, ".Pay: missing"},
		{"blank", func(t *Texts) { t.Copy = " " }, ".Copy: missing"},
		{"in a message", func(t *Texts) { t.Returned.Text = "" }, ".Returned.Text: missing"},
		{"in a map of messages", func(t *Texts) { t.Failures = map[int]Message{0: t.Failures[0], 403: t.Failures[403], 404: {"x", ""}} }, ".Failures[404].Text: missing"},
		{"key", func(t *Texts) { t.Reasons = map[string]string{} }, ".Reasons[" + store.ReasonUnpaid + "]: missing"},
		{"placeholder", func(t *Texts) { t.LeftMany = "%s" }, ".LeftMany: other placeholders than in English"},
		{"width", func(t *Texts) { t.LeftMany = "%02d" }, ".LeftMany: other placeholders than in English"},
		{"as in English", func(t *Texts) { t.Name = english.Name }, ".Name: as in English: Name on card"},
		{"space", func(t *Texts) { t.Name = "x " }, ".Name: space at an end"},
		{"too much", func(t *Texts) { t.Reasons = map[string]string{"x": "y"} }, ".Reasons[x]: not in English"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			changed := german
			c.change(&changed)
			require.Contains(t, faultsOf(&changed), c.fault)
		})
	}
}

// A word is of one script: a Latin letter that looks like a Cyrillic one is a typing error.
func TestScripts(t *testing.T) {
	t.Parallel()
	for _, texts := range offered {
		for path, text := range textsByPath(texts) {
			for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
				latin := strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
				cyrillic := strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) })
				require.False(t, latin && cyrillic, "%s%s: %s", texts.Lang, path, word)
			}
		}
	}
}

// Each unreviewed language says so in the comment that a translator sees.
func TestNativeReadersAreWanted(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"ar", "az", "kk"} {
		file, err := os.ReadFile("text_" + code + ".go")
		require.NoError(t, err)
		require.Contains(t, string(file), "wants a native reader", code)
	}
}

// The detail whose value is a sentence of the catalogue is labelled as vcard labels it.
func TestLabelOfASentence(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../../../methods/vcard/display.go")
	require.NoError(t, err)
	require.Contains(t, string(source), `"`+ToDo+`"`)
}

// The labels of the catalogue are translated, except for names of documents.
func TestLabelsOfTheCatalogue(t *testing.T) {
	t.Parallel()
	catalogue, err := methods.NewCatalogue()
	require.NoError(t, err)
	asked := 0
	for _, code := range catalogue.Codes() {
		method, _ := catalogue.Lookup(code)
		for _, ask := range method.Prompts {
			asked++
			if ask.Label != "CURP" && ask.Label != "CUIL" {
				require.Contains(t, english.Labels, ask.Label, code)
			}
		}
	}
	require.Greater(t, asked, 20)
}

// English has the texts of the specification's table of messages.
func TestEnglishMessagesOfTheSpecification(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Invalid card number", english.BadNumber)
	require.Equal(t, "The expiration date of card is expired and not valid.", english.BadExpiry)
	require.Equal(t, "Invalid security code", english.BadCode)
	require.Equal(t, "The name on card field (must contain first and last name; hyphen, apostrophe, diacritics allowed)",
		english.BadName)
	require.Equal(t, "Declined by processing.", english.Declined)
	for key, label := range english.Labels {
		require.Equal(t, key, label)
	}
}
