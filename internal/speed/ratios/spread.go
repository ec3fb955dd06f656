package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
)

// spread are the values of one figure, one for each repetition.
type spread []float64

func (s spread) String() string {
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

// median returns the middle value.
func (s spread) median() float64 { return slices.Sorted(slices.Values(s))[len(s)/2] }

// over returns what each value is of the other's at the same repetition.
func (s spread) over(other spread) (ratios spread) {
	for i := range s {
		ratios = append(ratios, s[i]/other[i])
	}
	return ratios
}

// less returns each value less the other's at the same repetition.
func (s spread) less(other spread) (rest spread) {
	for i := range s {
		rest = append(rest, s[i]-other[i])
	}
	return rest
}

// printRatio prints the rates of ours over those of a reference.
func (b *bench) printRatio(name string, ours, reference spread) {
	fmt.Fprintf(b.out, "speed: ratio=%q %s ours_per_second=%.0f reference_per_second=%.0f\n",
		name, ours.over(reference), ours.median(), reference.median())
}

// printMeasure prints a figure that stands on its own.
func (b *bench) printMeasure(name, unit string, s spread) {
	fmt.Fprintf(b.out, "speed: measure=%q %s unit=%q\n", name, s, unit)
}

// quantile returns the value below which a share of durations lies, in microseconds.
func quantile(times []time.Duration, share float64) float64 {
	sorted := slices.Sorted(slices.Values(times))
	return micros(sorted[min(int(share*float64(len(sorted))), len(sorted)-1)])
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }
