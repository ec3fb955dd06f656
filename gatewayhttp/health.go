package gatewayhttp

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/tollgatepay/gateway"
)

// patience is how long a probe waits for the store.
const patience = 5 * time.Second

// Health answers probes of an orchestrator or a monitor: 200 when the store can be read and Run does due work in this
// process, and 503 with the reason otherwise. It writes nothing, so it does not see where commits alone fail or wait;
// requests then fail, and due work gets late. The body is JSON:
//
//	{"ok":true,"late":{"callback":0.2}}
//
// late has how many seconds ago the oldest work of each kind was due, for those whose time has come: callback,
// recovery, schedule or expiry.
func Health(gw *gateway.Gateway) http.Handler {
	operator := gw.Operator()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), patience)
		defer cancel()
		h, err := operator.Health(ctx)
		state := health{Late: map[gateway.Work]float64{}}
		switch {
		case err != nil:
			state.Reason = "the store cannot be read"
		case !h.Running:
			state.Reason = "no due work is done: Run is not called"
		default:
			state.OK = true
		}
		for work, due := range h.Due {
			if late := gw.Now().Sub(due); late >= 0 {
				state.Late[work] = late.Seconds()
			}
		}
		state.write(w)
	})
}

type health struct {
	OK     bool                     `json:"ok"`
	Reason string                   `json:"reason,omitempty"`
	Late   map[gateway.Work]float64 `json:"late"`
}

func (h *health) write(w http.ResponseWriter) {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-store")
	if !h.OK {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(h) // a probe that hung up needs no answer
}
