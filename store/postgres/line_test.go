package postgres_test

import (
	"fmt"
	"testing"

	"github.com/tollgatepay/gateway/store/postgres"
)

// BenchmarkLine measures what a caller costs that waits in line with many others, until it is committed and until its
// context ends. That hardly depends on how many they are:
//
//	go test -run - -bench Line .
func BenchmarkLine(b *testing.B) {
	for _, n := range []int{1_000, 16_000} {
		for name, ends := range map[string]func(leave, commit func()){
			"leaves":  func(leave, _ func()) { leave() },
			"commits": func(_, commit func()) { commit() },
		} {
			b.Run(fmt.Sprintf("%s among %d", name, n), func(b *testing.B) {
				for b.Loop() {
					b.StopTimer()
					leave, commit := postgres.Line(n)
					b.StartTimer()
					ends(leave, commit)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/caller")
			})
		}
	}
}
