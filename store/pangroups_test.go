package store_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// cardNumbers are card numbers of every length that a network issues, each with different digits.
var cardNumbers = []string{
	"4111111111111111", "4539148803436467", "4222222222222", "4000000000000000006", "5555555555554444", "2223003122003222",
	"378282246310005", "371449635398431", "6011111111111117", "30569309025904", "3530111333300000", "6200000000000005",
	"501800000009", "2200000000000004",
}

// groupings write a number in groups.
var groupings = map[string]func(string) []string{
	"whole":                  func(n string) []string { return []string{n} },
	"one by one":             func(n string) []string { return cut(n, 1) },
	"pairs":                  func(n string) []string { return cut(n, 2) },
	"triples":                func(n string) []string { return cut(n, 3) },
	"fours":                  func(n string) []string { return cut(n, 4) },
	"fives":                  func(n string) []string { return cut(n, 5) },
	"eights":                 func(n string) []string { return cut(n, 8) },
	"4-6-5":                  func(n string) []string { return []string{n[:4], n[4 : len(n)-5], n[len(n)-5:]} },
	"6-10":                   func(n string) []string { return []string{n[:6], n[6:]} },
	"pairs from the right":   func(n string) []string { return cutRight(n, 2) },
	"triples from the right": func(n string) []string { return cutRight(n, 3) },
	"fours from the right":   func(n string) []string { return cutRight(n, 4) },
}

func cut(number string, size int) (groups []string) {
	for ; len(number) > size; number = number[size:] {
		groups = append(groups, number[:size])
	}
	return append(groups, number)
}

func cutRight(number string, size int) (groups []string) {
	if odd := len(number) % size; odd > 0 {
		groups, number = []string{number[:odd]}, number[odd:]
	}
	return append(groups, cut(number, size)...)
}

// besides are texts before and after a number.
var besides = [][2]string{
	{"", ""}, {"12 ", ""}, {"", " 12 28"}, {"12 ", " 123"}, {"7 ", " 1"}, {"10115 ", " 12-28"}, {"2027-03-10 ", ""},
	{"36 38 40 42 ", " 44 46"}, {"1.", ".2"}, {"1234 5678 9012 3456 7890 ", " 1234 5678 9012 3456 7890"},
	{"4 1 4 1 ", " 4 1 4 1"}, {strings.Repeat("41 ", 20), strings.Repeat(" 11", 20)},
}

// A card number is found in every regular grouping, before and after any other number, and across mixed
// separators.
func TestHoldsPANInEveryGrouping(t *testing.T) {
	t.Parallel()
	for name, group := range groupings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, number := range cardNumbers {
				for _, beside := range besides {
					for _, separators := range []string{" ", "-", ".", "\u2013", " -.\u00a0"} {
						text := beside[0] + joined(group(number), separators) + beside[1]
						require.True(t, store.HoldsPAN(text), "%q", text)
					}
				}
			}
		})
	}
}

// joined writes groups with the separators in turn.
func joined(groups []string, separators string) string {
	var b strings.Builder
	signs := []rune(separators)
	for i, group := range groups {
		if i > 0 {
			b.WriteRune(signs[i%len(signs)])
		}
		b.WriteString(group)
	}
	return b.String()
}

// A list of sizes is no card number, whatever it begins with.
func TestHoldsPANNotInLists(t *testing.T) {
	t.Parallel()
	for from := 10; from < 90; from++ {
		for step := 1; step <= 10; step++ {
			var up, down []string
			for n := from; n < 100; n += step {
				up = append(up, fmt.Sprint(n))
				down = append([]string{fmt.Sprint(n)}, down...)
			}
			require.False(t, store.HoldsPAN("sizes "+strings.Join(up, " ")), up)
			require.False(t, store.HoldsPAN("sizes "+strings.Join(down, "-")), down)
		}
	}
}

// ordinary are generators of text with numbers and no card, each with how many of ten thousand texts are refused, as
// SECURITY.md says. A refused number has the prefix, the length and the check digit of a network, so no rule can
// tell it from a card number.
var ordinary = []struct {
	name    string
	refused int
	told    string // the words behind that number; "" for none
	text    func(r *rand.Rand) string
}{
	{"order list", 0, "", func(r *rand.Rand) string {
		return fmt.Sprintf("%d x 12%03d, %d x 45%03d-%02d, total %d.%02d EUR", r.IntN(20), r.IntN(1000), r.IntN(20),
			r.IntN(1000), r.IntN(100), r.IntN(900), r.IntN(100))
	}},
	{"sizes", 0, "", func(r *rand.Rand) string { return "sizes " + climb(r, 3+r.IntN(9)) }},
	{"sizes with a quantity", 0, "", func(r *rand.Rand) string { return climb(r, 3+r.IntN(6)) + fmt.Sprintf(" - %d", 1+r.IntN(50)) }},
	{"phone", 0, "", func(r *rand.Rand) string { return fmt.Sprintf("+49 %d %d", 150+r.IntN(30), 1000000+r.IntN(9000000)) }},
	{"phone in pairs", 0, "", func(r *rand.Rand) string {
		return fmt.Sprintf("+33 %d %02d %02d %02d %02d", 1+r.IntN(9), r.IntN(100), r.IntN(100), r.IntN(100), r.IntN(100))
	}},
	{"two phones", 115, "pairs of phones", func(r *rand.Rand) string {
		return fmt.Sprintf("0%d %07d - 0%d %07d", 30+r.IntN(60), r.IntN(1e7), 30+r.IntN(60), r.IntN(1e7))
	}},
	{"date and time", 0, "", func(r *rand.Rand) string {
		return day(r, "2027-%[2]02d-%[1]02d") + fmt.Sprintf(" %02d:%02d", r.IntN(24), r.IntN(60))
	}},
	{"stay", 0, "", func(r *rand.Rand) string { return day(r, "%02d.%02d.2027") + " - " + day(r, "%02d.%02d.2027") }},
	{"three days", 187, "lists of three days", func(r *rand.Rand) string {
		return day(r, "%02d.%02d.27") + " " + day(r, "%02d.%02d.27") + " " + day(r, "%02d.%02d.27")
	}},
	{"hours", 0, "", func(r *rand.Rand) string {
		return fmt.Sprintf("Mo-Fr %02d.%02d-%02d.%02d", r.IntN(24), r.IntN(60), r.IntN(24), r.IntN(60))
	}},
	{"IBAN", 0, "", func(r *rand.Rand) string {
		return "IBAN " + iban(fmt.Sprintf("%04d%04d%04d%04d%02d", 1000+r.IntN(8000), r.IntN(1e4), r.IntN(1e4), r.IntN(1e4),
			r.IntN(100)))
	}},
	{"IBAN with a wrong digit", 972, "with an IBAN of which a digit is wrong", func(r *rand.Rand) string {
		return fmt.Sprintf("DE%02d %04d %04d %04d %04d %02d", 2+r.IntN(97), 1000+r.IntN(8000), r.IntN(1e4), r.IntN(1e4),
			r.IntN(1e4), r.IntN(100))
	}},
	{"UUID", 4, "UUIDs", func(r *rand.Rand) string {
		a, b := r.Uint64(), r.Uint64()
		return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x", uint32(a), uint16(a>>32), a>>52, uint16(b), b>>16)
	}},
	{"parcel", 52, "parcel numbers", func(r *rand.Rand) string { return fmt.Sprintf("1Z%06X03%08d", r.IntN(1<<24), r.IntN(1e8)) }},
	{"parcel of 20 digits", 0, "", func(r *rand.Rand) string { return fmt.Sprintf("0034%08d%08d", r.IntN(1e8), r.IntN(1e8)) }},
	{"order reference", 0, "", func(r *rand.Rand) string { return fmt.Sprintf("20270310-%06d", r.IntN(1e6)) }},
	{"address", 0, "", func(r *rand.Rand) string {
		return fmt.Sprintf("Hauptstr. %d, %05d Berlin, flat %d-%d", r.IntN(300), r.IntN(1e5), r.IntN(20), r.IntN(40))
	}},
	{"VAT number", 0, "", func(r *rand.Rand) string {
		return fmt.Sprintf("DE %03d %03d %03d", r.IntN(1000), r.IntN(1000), r.IntN(1000))
	}},
	{"coordinates", 0, "", func(r *rand.Rand) string {
		return fmt.Sprintf("%d.%06d, %d.%06d", r.IntN(90), r.IntN(1e6), r.IntN(180), r.IntN(1e6))
	}},
}

// iban writes a German IBAN in groups of four.
func iban(account string) string {
	rest := 0
	for _, c := range account + "131400" {
		rest = (rest*10 + int(c-'0')) % 97
	}
	return strings.Join(cut(fmt.Sprintf("DE%02d%s", 98-rest, account), 4), " ")
}

// climb writes a list of rising sizes.
func climb(r *rand.Rand, n int) string {
	var sizes []string
	for size := 10 + r.IntN(40); len(sizes) < n && size < 100; size += 1 + r.IntN(5) {
		sizes = append(sizes, fmt.Sprint(size))
	}
	return strings.Join(sizes, " ")
}

func day(r *rand.Rand, layout string) string { return fmt.Sprintf(layout, 1+r.IntN(28), 1+r.IntN(12)) }

// TestHoldsPANInOrdinaryText counts how often ordinary text is refused, of ten thousand of each kind.
func TestHoldsPANInOrdinaryText(t *testing.T) {
	t.Parallel()
	security, err := os.ReadFile("../SECURITY.md")
	require.NoError(t, err)
	says := strings.Join(strings.Fields(string(security)), " ")
	for i, kind := range ordinary {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			r, refused := rand.New(rand.NewPCG(1, uint64(i))), 0
			for range 10000 {
				if store.HoldsPAN(kind.text(r)) {
					refused++
				}
			}
			t.Logf("%d of 10000", refused)
			require.Equal(t, kind.refused, refused)
			if kind.told != "" {
				require.Contains(t, says, fmt.Sprintf(" %d %s", refused, kind.told))
			}
		})
	}
}

// FuzzHoldsPAN: a card number is found in any text around it, unless that text joins its groups.
func FuzzHoldsPAN(f *testing.F) {
	f.Add("12 ", " 28", uint8(0), uint8(2))
	f.Add("36 38 40 42", "44", uint8(6), uint8(3))
	f.Add("\u0664-", "\xff", uint8(12), uint8(1))
	f.Fuzz(func(t *testing.T, before, behind string, number, size uint8) {
		groups := cut(cardNumbers[int(number)%len(cardNumbers)], 1+int(size)%6)
		before = strings.ToLower(before) // capitals may be a country and make an IBAN of the number
		require.True(t, store.HoldsPAN(before+" , "+strings.Join(groups, " ")+" , "+behind))
		text := before + " " + strings.Join(groups, " ") + " " + behind
		require.True(t, store.HoldsPAN(text), "%q", text)
	})
}

func BenchmarkHoldsPAN(b *testing.B) {
	for name, text := range map[string]string{
		"words": strings.Repeat("an important gift, ", 50), "pairs": strings.Repeat("41 ", 330),
		"digits": strings.Repeat("4", 1000),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				store.HoldsPAN(text)
			}
		})
	}
}
