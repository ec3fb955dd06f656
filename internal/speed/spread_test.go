package speed_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/speed"
)

func TestSpread(t *testing.T) {
	s := speed.Spread{3, 1, 20}
	require.Equal(t, "min=1.00 median=3.00 max=20.0", s.String())
	require.Equal(t, speed.Spread{1.5, 0.5, 4}, s.Over(speed.Spread{2, 2, 5}))
	require.Equal(t, speed.Spread{1, -1, 15}, s.Less(speed.Spread{2, 2, 5}))
	for want, f := range map[string]float64{"0.047": 0.0468, "9.55": 9.551, "12346": 12345.6, "-1.50": -1.5} {
		require.Equal(t, "min="+want+" median="+want+" max="+want, speed.Spread{f}.String())
	}
	times := []time.Duration{4000, 1000, 3000, 2000}
	require.InDelta(t, 1, speed.Quantile(times, 0), 0)
	require.InDelta(t, 3, speed.Quantile(times, 0.5), 0)
	require.InDelta(t, 4, speed.Quantile(times, 1), 0)
}

func TestPrintedFigures(t *testing.T) {
	var out bytes.Buffer
	speed.PrintRatio(&out, "a, of b", speed.Spread{10, 30}, speed.Spread{20, 40})
	speed.PrintMeasure(&out, "c", "us", speed.Spread{5})
	speed.PrintOnce(&out, "d", "ms", 70)
	require.Equal(t, `speed: ratio="a, of b" min=0.500 median=0.750 max=0.750 ours_per_second=30 reference_per_second=40
speed: measure="c" min=5.00 median=5.00 max=5.00 unit="us"
speed: measured_once="d" value=70.0 unit="ms"
`, out.String())
}
