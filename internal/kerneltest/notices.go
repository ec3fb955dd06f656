package kerneltest

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
)

// NotifyOf makes the acquirer send a notification of an operation's state to its link.
func NotifyOf(t testing.TB, kit *gatewaytest.Kit, s *Spy, id string) {
	t.Helper()
	op := s.Sends(id)[0]
	note, err := kit.Vcard.Notify(t.Context(), op.Key)
	require.NoError(t, err)
	Report(t, kit, op, note)
}

// Report makes the acquirer notify the link of an operation.
func Report(t testing.TB, kit *gatewaytest.Kit, op methods.Operation, note methods.Note) {
	t.Helper()
	token, ok := strings.CutPrefix(op.NotificationURL, gatewaytest.PublicURL+"/notify/")
	require.True(t, ok)
	require.NoError(t, kit.Notify(t.Context(), token, note))
}

// FormsOf lists every callback that was sent for an order.
func FormsOf(t testing.TB, kit *gatewaytest.Kit, order string) (list []url.Values) {
	t.Helper()
	kit.Work(t)
	for _, form := range kit.Inbox.Fields(t) {
		if form.Get("order_number") == order || form.Get("order_id") == order {
			list = append(list, form)
		}
	}
	return list
}
