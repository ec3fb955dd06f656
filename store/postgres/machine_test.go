package postgres_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/speed"
)

// machine is the one that runs a benchmark: what of it decides the rates is printed with them.
type machine struct {
	*testing.B
	states []string      // directories that tell how long a CPU has been in a state of sleep, or idle and awake
	awake  bool          // whether the CPUs are kept awake
	begun  time.Time     // when the benchmark began
	slept  time.Duration // how long the CPUs had slept then
}

// newMachine returns the machine. If TOLLGATE_AWAKE is set, its CPUs do not sleep until the benchmark ends: for as long
// as a program holds a file, Linux has idle ones look for work.
func newMachine(b *testing.B) machine {
	b.Helper()
	m := machine{B: b, awake: os.Getenv("TOLLGATE_AWAKE") != ""}
	var err error
	m.states, err = filepath.Glob("/sys/devices/system/cpu/cpu[0-9]*/cpuidle/state*")
	require.NoError(b, err)
	if m.awake {
		m.keepAwake()
	}
	m.begun, m.slept = time.Now(), m.asleep()
	return m
}

func (m machine) keepAwake() {
	m.Helper()
	require.NotEmpty(m, m.states, "this machine does not tell whether its CPUs sleep: leave TOLLGATE_AWAKE out")
	f, err := os.OpenFile("/dev/cpu_dma_latency", os.O_WRONLY, 0)
	require.NoError(m, err, "the CPUs cannot be kept awake: be root, or leave TOLLGATE_AWAKE out")
	m.Cleanup(func() { require.NoError(m, f.Close()) })
	_, err = f.Write(make([]byte, 4)) // the longest time to wake up that is accepted: 0 us
	require.NoError(m, err)
}

// tellSleep prints how much of the time the CPUs have slept since the benchmark began.
func (m machine) tellSleep() {
	m.Helper()
	if len(m.states) == 0 {
		fmt.Println("this machine does not tell whether its CPUs sleep")
		return
	}
	all := time.Since(m.begun) * time.Duration(runtime.NumCPU())
	share := 100 * float64(m.asleep()-m.slept) / float64(all)
	speed.PrintMeasure(os.Stdout, "time that the CPUs slept in all of this", "%", speed.Spread{share})
	if m.awake {
		require.Less(m, share, 1.0, "the CPUs were not kept awake")
	}
}

// asleep returns how long the CPUs have slept since the machine was started, all together. An idle one that looks for
// work is awake.
func (m machine) asleep() (sum time.Duration) {
	m.Helper()
	for _, state := range m.states {
		if m.read(state, "name") == "POLL" {
			continue
		}
		us, err := strconv.ParseInt(m.read(state, "time"), 10, 64)
		require.NoError(m, err)
		sum += time.Duration(us) * time.Microsecond
	}
	return sum
}

func (m machine) read(dir, name string) string {
	m.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(m, err)
	return strings.TrimSpace(string(text))
}

// tellMemory prints how many megabytes of huge pages are in use or promised, by anyone. The server takes them if enough
// are reserved. Linux tells; elsewhere there are none to know of.
func (m machine) tellMemory() {
	m.Helper()
	text, err := os.ReadFile("/proc/meminfo")
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(m, err)
	}
	figure := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); strings.HasPrefix(line, "Huge") {
			figure[words[0]], err = strconv.ParseFloat(words[1], 64)
			require.NoError(m, err)
		}
	}
	pages := figure["HugePages_Total:"] - figure["HugePages_Free:"] + figure["HugePages_Rsvd:"]
	megabytes := pages * figure["Hugepagesize:"] / 1024
	speed.PrintMeasure(os.Stdout, "memory of the server in huge pages", "MB", speed.Spread{megabytes})
}
