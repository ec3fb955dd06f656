package speed

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"time"
)

// Spread is the values of one figure, one for each repetition.
type Spread []float64

func (s Spread) String() string {
	sorted := slices.Sorted(slices.Values(s))
	return fmt.Sprintf("min=%s median=%s max=%s",
		short(sorted[0]), short(sorted[len(sorted)/2]), short(sorted[len(sorted)-1]))
}

// short is a number with three digits that count, or more before the point.
func short(f float64) string {
	decimals := 3
	for size := math.Abs(f); size >= 1 && decimals > 0; size /= 10 {
		decimals--
	}
	return strconv.FormatFloat(f, 'f', decimals, 64)
}

// Median returns the middle value.
func (s Spread) Median() float64 { return slices.Sorted(slices.Values(s))[len(s)/2] }

// Over returns what each value is of the other's at the same repetition.
func (s Spread) Over(other Spread) (ratios Spread) {
	for i := range s {
		ratios = append(ratios, s[i]/other[i])
	}
	return ratios
}

// Less returns each value less the other's at the same repetition.
func (s Spread) Less(other Spread) (rest Spread) {
	for i := range s {
		rest = append(rest, s[i]-other[i])
	}
	return rest
}

// PrintRatio prints the rates of ours over those of a reference, as internal/figures reads it.
func PrintRatio(out io.Writer, name string, ours, reference Spread) {
	fmt.Fprintf(out, "speed: ratio=%q %s ours_per_second=%.0f reference_per_second=%.0f\n",
		name, ours.Over(reference), ours.Median(), reference.Median())
}

// PrintMeasure prints a figure that stands on its own.
func PrintMeasure(out io.Writer, name, unit string, s Spread) {
	fmt.Fprintf(out, "speed: measure=%q %s unit=%q\n", name, s, unit)
}

// PrintOnce prints a figure that was measured once. Its rows are a table of their own, without a spread.
func PrintOnce(out io.Writer, name, unit string, value float64) {
	fmt.Fprintf(out, "speed: measured_once=%q value=%s unit=%q\n", name, short(value), unit)
}

// Quantile returns the value below which a share of durations lies, in microseconds.
func Quantile(times []time.Duration, share float64) float64 {
	sorted := slices.Sorted(slices.Values(times))
	return Micros(sorted[min(int(share*float64(len(sorted))), len(sorted)-1)])
}

// Micros is a duration in microseconds.
func Micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }
