package faults_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
)

// Every scenario of TestEveryFault, without a fault: the card number appears only sealed (C6, X2).
func TestNumberStaysSealed(t *testing.T) {
	t.Parallel()
	for _, scenario := range scenarios {
		t.Run(scenario.name, func(t *testing.T) {
			t.Parallel()
			kit, _, h := kerneltest.Searched(t)
			p := &play{t: t, kit: kit}
			scenario.play(p)
			h.Add("answers", fmt.Appendf(nil, "%v %+v %#v", p.acks, p.acks, p.acks))
			kit.Advance(t, 72*time.Hour)
			kerneltest.Gather(t, kit, h)
			require.Empty(t, h.Find("4111111111111111"))
			require.Empty(t, h.Find(gatewaytest.Password))
			if told := string(h.Bits["callbacks"]); !strings.Contains(told, "action=DEBIT2VIRTUAL") { // which involves no card
				require.Contains(t, told, "411111%2A%2A%2A%2A%2A%2A1111", "the mask is there")
			}
		})
	}
}
