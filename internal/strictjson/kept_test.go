package strictjson_test

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/strictjson"
)

// Texts of a body up to 4 KiB are parts of one copy of it, as far apart as in the body. Those of a longer one stand
// alone, so that none keeps it.
func TestTextsOfOneCopy(t *testing.T) {
	t.Parallel()
	for size, shared := range map[int]bool{100: true, 4096: true, 4097: false} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			body := `{"operation":"one","hash":"two"}`
			body += strings.Repeat(" ", size-len(body))
			got, faults := strictjson.For[session](strictjson.Limits{}).Decode([]byte(body))
			require.NoError(t, faults.Err())
			require.Equal(t, "one two", got.Operation+" "+got.Hash)
			apart := uintptr(unsafe.Pointer(unsafe.StringData(got.Hash))) -
				uintptr(unsafe.Pointer(unsafe.StringData(got.Operation)))
			require.Equal(t, shared, apart == uintptr(strings.Index(body, "two")-strings.Index(body, "one")))
		})
	}
}
