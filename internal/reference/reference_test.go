package reference_test

//go:generate go test ../../refusal -run ^TestCatalogue$ -rewrite
//go:generate go test . -run ^TestPages$ -rewrite

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/contract"
	"github.com/tollgatepay/gateway/hpf"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/reference"
	"github.com/tollgatepay/gateway/s2s"
)

var rewrite = flag.Bool("rewrite", false, "write docs/reference again")

func TestMain(m *testing.M) { kerneltest.Main(m) }

const folder = "../../docs/reference/"

// refusedHere are the calls whose sample is refused, because the test acquirer runs no schedules.
var refusedHere = []string{"STOP_SCHEDULE"}

// pages are those of the protocols, with the samples that they show.
func pages() []page {
	return []page{
		{contract.Checkout, "checkout.md", checkout.Contract(), checkoutSamples},
		{contract.Hosted, "hosted-fields.md", hpf.Contract(), hostedSamples},
		{contract.S2SCard, "s2s-card.md", of(contract.S2SCard), cardSamples},
		{contract.S2SAPM, "s2s-apm.md", of(contract.S2SAPM), apmSamples},
	}
}

type page struct {
	protocol contract.Protocol
	file     string
	calls    []contract.Call
	samples  []sample
}

// TestPages keeps docs/reference equal to the tables, and to what a gateway answers to every command of it, from the
// top of each page to its end. `go generate ./internal/reference` writes it again.
func TestPages(t *testing.T) {
	t.Parallel()
	for _, p := range pages() {
		t.Run(p.file, func(t *testing.T) {
			t.Parallel()
			s, shown := newStage(t, p.calls), map[string][]reference.Sample{}
			var played []string
			for _, c := range p.calls {
				for _, sample := range p.of(c) {
					made := s.play(sample)
					want := 200
					if slices.Contains(refusedHere, sample.call) {
						want = 400
					}
					if sample.made && made.Status != want {
						t.Errorf("%s is shown without a sample, since the one of its fields is refused: add one to "+
							"samples_test.go\n%s\n%s", c.Name, made.Command, made.Answer)
						continue
					}
					require.Equal(t, want, made.Status, "%s\n%s", made.Command, made.Answer)
					if sample.under != "" {
						made.Steps = nil // its own part explains them
					}
					shown[c.Name], played = append(shown[c.Name], made), append(played, made.Command)
				}
			}
			text := reference.Page(p.protocol, p.calls, shown)
			keep(t, p.file, text)
			var read []string
			for _, s := range reference.Read(text) {
				read = append(read, s.Command)
			}
			require.Equal(t, played, read)
		})
	}
	keep(t, "callbacks.md", reference.Callbacks())
	keep(t, "errors.md", reference.Errors())
}

// of are the samples in the part of a call. A call that has none gets one that is made of its fields.
func (p page) of(c contract.Call) []sample {
	list := slices.DeleteFunc(slices.Clone(p.samples), func(s sample) bool { return s.part() != c.Name })
	if !slices.ContainsFunc(list, func(s sample) bool { return s.call == c.Name }) {
		list = append(list, p.make(c))
	}
	return list
}

// Every sample is shown.
func TestEverySampleIsShown(t *testing.T) {
	t.Parallel()
	for _, p := range pages() {
		for _, s := range p.samples {
			require.True(t, slices.ContainsFunc(p.calls, func(c contract.Call) bool { return c.Name == s.part() }),
				"%s has no call %s", p.protocol, s.part())
		}
	}
}

func of(protocol contract.Protocol) []contract.Call {
	return slices.DeleteFunc(s2s.Contract(), func(c contract.Call) bool { return c.Protocol != protocol })
}

func keep(t *testing.T, name, made string) {
	t.Helper()
	if *rewrite {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(made), 0o644))
	}
	written, err := os.ReadFile(filepath.Join(folder, name))
	require.NoError(t, err)
	require.Empty(t, difference(made, string(written)), "docs/reference is behind: run go generate ./internal/reference")
}

// difference is the first line in which a page is not what was made.
func difference(made, written string) string {
	if made == written {
		return ""
	}
	want, is := append(strings.Split(made, "\n"), "the end"), append(strings.Split(written, "\n"), "the end")
	i := 0
	for i < min(len(want), len(is))-1 && want[i] == is[i] {
		i++
	}
	return fmt.Sprintf("line %d is %q, and should be %q", i+1, is[i], want[i])
}
