package crash

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// delivery is a callback that reached the merchant.
type delivery struct {
	ID       string
	Body     string
	Form     url.Values
	Accepted bool // the merchant acknowledged it
}

// shop is the merchant in its own process: it appends every callback to a file, and flushes it to the disk, before
// it answers.
type shop struct {
	orders
	dice *dice

	write sync.Mutex
	file  *os.File
}

// serveShop runs the process, which ends with the parent.
func serveShop(listener net.Listener) error {
	file, err := os.OpenFile(os.Getenv(envFile), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	m := &shop{dice: newDice(seedOf()), file: file}
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+os.Getenv(envPath)+"/orders", m.take)
	mux.HandleFunc("/", m.serve)
	fmt.Println("ready")
	return http.Serve(listener, mux)
}

func (m *shop) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the sender died while sending
	}
	form, err := url.ParseQuery(string(body))
	d := delivery{
		ID: r.Header.Get("X-Tollgate-Callback-Id"), Body: string(body), Form: form,
		Accepted: err == nil && !m.dice.chance(m.standing().Percent),
	}
	if err := m.note(d); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	m.asked(passage{Stage: "after", Delivery: d})
	if !d.Accepted {
		http.Error(w, "come again", http.StatusInternalServerError)
	}
}

func (m *shop) note(d delivery) error {
	line, err := json.Marshal(d)
	if err != nil {
		return err
	}
	m.write.Lock()
	defer m.write.Unlock()
	if _, err := m.file.Write(append(line, '\n')); err != nil {
		return err
	}
	return m.file.Sync()
}

// merchant is the parent's control of that process, and the reader of its file.
type merchant struct {
	*partner
	t *testing.T
}

// deliveries reads the file so far.
func (m merchant) deliveries() (list []delivery) {
	text, err := os.ReadFile(m.file)
	require.NoError(m.t, err)
	for line := range bytes.Lines(text) {
		var d delivery
		if !bytes.HasSuffix(line, []byte("\n")) {
			break // a line is being written
		}
		require.NoError(m.t, json.Unmarshal(line, &d))
		list = append(list, d)
	}
	return list
}

// wait returns the first delivery that matches, when it comes.
func (m merchant) wait(t *testing.T, wanted func(delivery) bool) delivery {
	t.Helper()
	for end := time.Now().Add(startTime); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		for _, d := range m.deliveries() {
			if wanted(d) {
				return d
			}
		}
	}
	t.Fatal("a callback did not come")
	return delivery{}
}
