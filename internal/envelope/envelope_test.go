package envelope_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/envelope"
)

type entry struct {
	Code    int    `json:"error_code"`
	Message string `json:"error_message"`
}

type body struct {
	Code    *int     `json:"error_code"`
	Message *string  `json:"error_message"`
	Errors  *[]entry `json:"errors"`
}

func failed(t *testing.T, err error) (envelope.Response, body) {
	t.Helper()
	r := envelope.Fail(err)
	var b body
	decoder := json.NewDecoder(strings.NewReader(string(r.Body)))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&b))
	require.NotNil(t, b.Code)
	require.NotNil(t, b.Message)
	require.NotNil(t, b.Errors)
	return r, b
}

const invalid = "Request data is invalid."

// Every row of the catalogue has the envelope, and its entries are never empty (decision an).
func TestCatalogue(t *testing.T) {
	t.Parallel()
	for name, row := range catalogue {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, b := failed(t, row)
			require.Equal(t, row.Status(), r.Status)
			switch {
			case len(row.Faults()) > 0:
				require.Equal(t, 0, *b.Code)
				require.Equal(t, invalid, *b.Message)
				require.Len(t, *b.Errors, len(row.Faults()))
				require.Equal(t, entry{100000, row.Faults()[0].String()}, (*b.Errors)[0])
			case row.Code() == 100000 && row.Status() == 400:
				require.Equal(t, 0, *b.Code)
				require.Equal(t, invalid, *b.Message)
				require.Equal(t, []entry{{100000, row.Message()}}, *b.Errors)
			default:
				require.Equal(t, row.Code(), *b.Code)
				require.Equal(t, row.Message(), *b.Message)
				require.Equal(t, []entry{{row.Code(), row.Message()}}, *b.Errors)
			}
		})
	}
}

// The table above is complete: it has as many rows as refusals.go.
func TestCatalogueIsWhole(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "../../refusals.go", nil, 0)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		for _, name := range spec.Names {
			if strings.HasPrefix(name.Name, "Err") {
				require.Contains(t, catalogue, name.Name)
			}
		}
		return true
	})
}

func TestFail(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"refund":    {gateway.ErrRefund, `{"error_code":0,"error_message":"Request data is invalid.","errors":[{"error_code":100000,"error_message":"Refund is not allowed."}]}`},
		"duplicate": {gateway.ErrDuplicate, `{"error_code":400,"error_message":"Duplicate request.","errors":[{"error_code":400,"error_message":"Duplicate request."}]}`},
		"fields": {gateway.ErrInvalid.Fields(gateway.Fault{Path: "a", Text: "x"}, gateway.Fault{Text: "y"}),
			`{"error_code":0,"error_message":"Request data is invalid.","errors":[{"error_code":100000,"error_message":"a: x"},{"error_code":100000,"error_message":"y"}]}`},
		"of our own": {errors.New("a secret"), `{"error_code":100000,"error_message":"Internal error.","errors":[{"error_code":100000,"error_message":"Internal error."}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, string(envelope.Fail(c.err).Body))
		})
	}
	require.Equal(t, `{"error_code":0,"error_message":"Route or parameters is not supported","errors":[]}`,
		string(envelope.NotFound().Body))
}

// catalogue is every row of errors.go by its name.
var catalogue = map[string]*gateway.Error{
	"ErrAction":           gateway.ErrAction,
	"ErrActionAbsent":     gateway.ErrActionAbsent,
	"ErrBrandAbsent":      gateway.ErrBrandAbsent,
	"ErrBrandRoute":       gateway.ErrBrandRoute,
	"ErrBusy":             gateway.ErrBusy,
	"ErrCaptureAmount":    gateway.ErrCaptureAmount,
	"ErrCaptureStatus":    gateway.ErrCaptureStatus,
	"ErrCardToken":        gateway.ErrCardToken,
	"ErrCardTokenExpired": gateway.ErrCardTokenExpired,
	"ErrCardTokenOwner":   gateway.ErrCardTokenOwner,
	"ErrChannelRoute":     gateway.ErrChannelRoute,
	"ErrChargeback":       gateway.ErrChargeback,
	"ErrComplete":         gateway.ErrComplete,
	"ErrCurrencyRoute":    gateway.ErrCurrencyRoute,
	"ErrDayLimit":         gateway.ErrDayLimit,
	"ErrDisputeAmount":    gateway.ErrDisputeAmount,
	"ErrDuplicate":        gateway.ErrDuplicate,
	"ErrKeyUsed":          gateway.ErrKeyUsed,
	"ErrInternal":         gateway.ErrInternal,
	"ErrInvalid":          gateway.ErrInvalid,
	"ErrMOTORoute":        gateway.ErrMOTORoute,
	"ErrMethodAbsent":     gateway.ErrMethodAbsent,
	"ErrMappingDayLimit":  gateway.ErrMappingDayLimit,
	"ErrMethodRoute":      gateway.ErrMethodRoute,
	"ErrMonthLimit":       gateway.ErrMonthLimit,
	"ErrNoAside":          gateway.ErrNoAside,
	"ErrNoCallback":       gateway.ErrNoCallback,
	"ErrNoChain":          gateway.ErrNoChain,
	"ErrNoMID":            gateway.ErrNoMID,
	"ErrNoMethods":        gateway.ErrNoMethods,
	"ErrNoOrder":          gateway.ErrNoOrder,
	"ErrNoPayment":        gateway.ErrNoPayment,
	"ErrNoReview":         gateway.ErrNoReview,
	"ErrNoSchedule":       gateway.ErrNoSchedule,
	"ErrNoSession":        gateway.ErrNoSession,
	"ErrNoUpdate":         gateway.ErrNoUpdate,
	"ErrRefund":           gateway.ErrRefund,
	"ErrRefundAmount":     gateway.ErrRefundAmount,
	"ErrRetry":            gateway.ErrRetry,
	"ErrReversalAmount":   gateway.ErrReversalAmount,
	"ErrReversalPart":     gateway.ErrReversalPart,
	"ErrSchedule":         gateway.ErrSchedule,
	"ErrSessionOver":      gateway.ErrSessionOver,
	"ErrStop":             gateway.ErrStop,
	"ErrToken":            gateway.ErrToken,
	"ErrTypeAbsent":       gateway.ErrTypeAbsent,
	"ErrTypeRoute":        gateway.ErrTypeRoute,
	"ErrUnavailable":      gateway.ErrUnavailable,
	"ErrUseTestKey":       gateway.ErrUseTestKey,
	"ErrVoid":             gateway.ErrVoid,
	"ErrWallet":           gateway.ErrWallet,
	"ErrWeekLimit":        gateway.ErrWeekLimit,
	"ErrZeroRoute":        gateway.ErrZeroRoute,
}
