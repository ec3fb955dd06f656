// Command ratios measures the speed of the gateway against references, in turns on one machine, so that other load
// touches both:
//
//	go run ./internal/speed/ratios          at full size: some 10 GB of disk, 3 to 4 minutes on two cores
//	go run ./internal/speed/ratios -quick   small sizes, a minute
//	go run ./internal/speed/ratios -only start -payments 100000
//	                                        the parts whose name contains that, with a file of that size
//
// Servers run as processes of their own, the load comes from this one, with requests that were built and signed
// before. It needs Linux, for the CPU time of other processes, and for stripe-mock the Go module proxy. Callbacks are
// stored and not delivered, but for scheduled payments, where the whole gateway runs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
)

// sizes are how much is measured.
type sizes struct {
	repeat                        int // how often each pair of turns is repeated
	requests                      int // of one turn over HTTP
	sales                         int // of one turn in process
	payments, sessions, schedules int // in a store
}

var quickSizes = sizes{repeat: 3, requests: 1000, sales: 1000, payments: 2000, sessions: 2000, schedules: 200}

// bench is one run of this command.
type bench struct {
	sizes
	out    io.Writer // gets the lines with figures
	folder string    // for the files of a part, removed at its end
}

// parts are what can be measured on its own.
var parts = []struct {
	name string
	run  func(*bench, context.Context) error
}{
	{"http", (*bench).overHTTP},
	{"durable", (*bench).durable},
	{"exclusive", (*bench).exclusive},
	{"idle", (*bench).idleTicks},
	{"purge", (*bench).purge},
	{"schedules", (*bench).dueSchedules},
	{"start and status", (*bench).largeFile},
}

func main() {
	b := bench{out: os.Stdout}
	flag.IntVar(&b.repeat, "repeat", 5, "how often each pair of turns is repeated")
	flag.IntVar(&b.requests, "requests", 20_000, "requests of one turn over HTTP")
	flag.IntVar(&b.sales, "sales", 10_000, "sales of one turn in process")
	flag.IntVar(&b.payments, "payments", 1_000_000, "payments in the file that is opened and searched")
	flag.IntVar(&b.sessions, "sessions", 1_000_000, "expired sessions that are purged")
	flag.IntVar(&b.schedules, "schedules", 100_000, "schedules that are due in one minute")
	quick := flag.Bool("quick", false, "small sizes")
	only := flag.String("only", "", "only the parts whose name contains this")
	role := flag.String("serve", "", "be this server, for the command itself")
	path := flag.String("file", "", "the file of that server")
	flag.Parse()
	if *quick {
		b.sizes = quickSizes
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if *role != "" {
		err = serve(ctx, *role, *path)
	} else {
		err = b.run(ctx, *only)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "ratios:", err)
		os.Exit(1)
	}
}

// run measures the parts whose name contains a text.
func (b *bench) run(ctx context.Context, only string) error {
	fmt.Fprintf(b.out, "speed: repetitions=%d connections=%d callers=%d payments=%d sessions=%d schedules=%d\n",
		b.repeat, connections, callers, b.payments, b.sessions, b.schedules)
	for _, p := range parts {
		if !strings.Contains(p.name, only) {
			continue
		}
		if err := b.measure(ctx, p.run); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

// measure runs a part in a folder of its own.
func (b *bench) measure(ctx context.Context, part func(*bench, context.Context) error) (err error) {
	if b.folder, err = os.MkdirTemp("", "tollgate-speed-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.folder)) }()
	return part(b, ctx)
}
