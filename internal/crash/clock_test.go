package crash

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// clock runs with the machine's clock and can be moved ahead. The acquirer and every child use it: its lead is in a
// file that a child reads each time. So days pass in a test of seconds, and time passes for a process that is
// stopped, as in reality.
type clock struct {
	mu    sync.Mutex
	ahead time.Duration
	file  *os.File
	heard func(lead time.Duration) // is called when the clock moves; may be nil
}

// leadDigits is the width of the file: one write replaces it whole.
const leadDigits = 19

func newClock(t *testing.T) *clock {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "clock"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, file.Close()) })
	c := &clock{file: file}
	c.advance(0)
	return c
}

// Now returns the time of the clock.
func (c *clock) Now() time.Time { return time.Now().Add(c.lead()) }

func (c *clock) lead() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ahead
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	c.ahead += d
	lead := c.ahead
	_, err := fmt.Fprintf(offset{c.file}, "%0*d", leadDigits, int64(lead))
	c.mu.Unlock()
	if err != nil {
		panic(err) // without a clock the test cannot continue
	}
	if c.heard != nil {
		c.heard(lead)
	}
}

// offset writes to the beginning of a file.
type offset struct{ file *os.File }

// Write replaces the content.
func (o offset) Write(text []byte) (int, error) { return o.file.WriteAt(text, 0) }

// dial is a child's view of the clock.
type dial struct{ file *os.File }

func openDial() (dial, error) {
	file, err := os.Open(os.Getenv(envClock))
	if err != nil {
		return dial{}, err
	}
	d := dial{file}
	_, err = d.lead()
	return d, err
}

func (d dial) lead() (time.Duration, error) {
	var text [leadDigits]byte
	if _, err := d.file.ReadAt(text[:], 0); err != nil {
		return 0, err
	}
	digits := strings.TrimLeft(string(text[:]), "0")
	if digits == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return time.Duration(n), err
}

func (d dial) now() time.Time {
	lead, err := d.lead()
	if err != nil {
		panic(err) // it existed when the child started
	}
	return time.Now().Add(lead)
}
