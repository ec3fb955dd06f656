package reference_test

import (
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/contract"
)

// A page says of each field what it is or what it may be.
func TestNoFieldWithoutWords(t *testing.T) {
	t.Parallel()
	says := func(f contract.Form) bool {
		return f.Max > 0 || f.Pattern != "" || f.Words != "" || f.Choices != nil || f.Format != ""
	}
	for _, p := range pages() {
		for _, c := range p.calls {
			for _, f := range c.Fields {
				require.True(t, f.Path == "action" || slices.ContainsFunc(f.Forms, says), "%s of %s", f.Path, c.Name)
			}
		}
	}
}

// A text to which a page gives no length has none: one of 3000 letters is not refused for it.
func TestTextsWithoutLength(t *testing.T) {
	t.Parallel()
	bounds := func(f contract.Form) bool { return f.Max > 0 || f.Pattern != "" || f.Choices != nil }
	ofLength := regexp.MustCompile(`characters|\d\.\.\d`)
	for _, p := range pages() {
		for _, c := range p.calls {
			for _, f := range c.Fields {
				if f.Type == contract.Text && f.Path != "action" && !slices.ContainsFunc(f.Forms, bounds) {
					require.NotRegexp(t, ofLength, p.refused(t, c, f.Path), "%s of %s has a length", f.Path, c.Name)
				}
			}
		}
	}
	require.Regexp(t, ofLength, pages()[2].refused(t, pages()[2].calls[0], "order_id"), "a refusal is not found")
}

// refused is what is said of a field of a call's sample when it has 3000 letters.
func (p page) refused(t *testing.T, c contract.Call, path string) (said []string) {
	t.Helper()
	s := newStage(t, p.calls)
	for _, before := range p.calls {
		for _, sample := range p.of(before) {
			if sample.call != c.Name {
				s.play(sample)
				continue
			}
			long := [2]string{path, strings.Repeat("x", 3000)}
			sample.values = append(slices.DeleteFunc(slices.Clone(sample.values), func(pair [2]string) bool {
				return pair[0] == path
			}), long)
			command, _, _ := s.command(s.calls[c.Name], sample)
			w := httptest.NewRecorder()
			s.mux.ServeHTTP(w, requestOf(t, command))
			for part := range strings.SplitSeq(w.Body.String(), `"`) {
				if strings.HasPrefix(part, path+": ") {
					said = append(said, part)
				}
			}
			return said
		}
	}
	require.Fail(t, "no sample of "+c.Name)
	return nil
}
