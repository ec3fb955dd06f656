package fields_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// textDoor is a call of the Go API that takes texts. Each text of its request, found by reflection, is refused with a
// card number in it, unless it is listed: in numbers, which are names, URLs and numbers of others (decision ba), or in
// dropped, which are stored nowhere.
type textDoor struct {
	name             string
	request          any // a pointer to what is sent but for one text
	send             func(t testing.TB, kit *gatewaytest.Kit, request any) error
	numbers, dropped string
}

// textsOf lists the paths of the texts in a type.
func textsOf(of reflect.Type, path string) (paths []string) {
	switch {
	case of.Kind() == reflect.String, of == reflect.TypeFor[json.RawMessage]():
		return []string{path}
	case of.Kind() == reflect.Pointer, of.Kind() == reflect.Slice && of.Elem().Kind() == reflect.String:
		return textsOf(of.Elem(), path)
	case of.Kind() != reflect.Struct:
		return nil
	}
	for i := range of.NumField() {
		if f := of.Field(i); f.IsExported() && f.Name != "Proof" {
			paths = append(paths, textsOf(f.Type, strings.TrimPrefix(path+"."+f.Name, "."))...)
		}
	}
	return paths
}

// putText puts a card number at a path.
func putText(at reflect.Value, path string) {
	name, rest, _ := strings.Cut(path, ".")
	if at = at.FieldByName(name); at.Kind() == reflect.Pointer {
		fresh := reflect.New(at.Type().Elem())
		if !at.IsNil() {
			fresh.Elem().Set(at.Elem())
		}
		at.Set(fresh)
		at = fresh.Elem()
	}
	switch {
	case rest != "":
		putText(at, rest)
	case at.Type() == reflect.TypeFor[json.RawMessage]():
		at.SetBytes([]byte(`{"a":"` + pan + `"}`))
	case at.Kind() == reflect.Slice:
		at.Set(reflect.Append(reflect.Zero(at.Type()), reflect.ValueOf(pan)))
	case strings.HasSuffix(path, "Email"):
		at.SetString(email)
	case strings.HasSuffix(path, "URL"):
		at.SetString("https://shop.example/" + "4111111111111111")
	case strings.HasSuffix(path, "Phone"):
		at.SetString("4111111111111111")
	default:
		at.SetString(pan)
	}
}

func textDoors() []textDoor {
	session := gatewaytest.Request("ORD-1", "10.00")
	transfer := gatewaytest.Request("ORD-1", "10.00")
	transfer.Operation, transfer.Extra.Payee = "transfer", &store.Payer{Name: "Jane Doe"}
	hosted := kerneltest.HostedRequest("ORD-1")
	const (
		// Of a session's payee count the name, the e-mail address and the address; a state where its country has some.
		noPayee = " Extra.Payee.FirstName Extra.Payee.MiddleName Extra.Payee.LastName Extra.Payee.BirthDate Extra.Payee.IP" +
			" Extra.Payee.Address.State "
		state = " Billing.State "
		urls  = " CancelURL SuccessURL ExpiryURL ErrorURL ReturnURL "
	)
	doors := []textDoor{
		{"a session", &session, func(t testing.TB, kit *gatewaytest.Kit, r any) error {
			_, err := kit.Shop().CreateSession(t.Context(), *r.(*gateway.SessionRequest))
			return err
		}, "Order.Number Billing.Phone" + urls, state},
		{"a session of a transfer", &transfer, func(t testing.TB, kit *gatewaytest.Kit, r any) error {
			_, err := kit.Shop().CreateSession(t.Context(), *r.(*gateway.SessionRequest))
			return err
		}, "Order.Number Billing.Phone Extra.Payee.Address.Phone" + urls, noPayee + state},
		{"a session of hosted fields", &hosted, func(t testing.TB, kit *gatewaytest.Kit, r any) error {
			_, err := kit.Shop().CreateHosted(t.Context(), *r.(*gateway.SessionRequest))
			return err
		}, "Order.Number Billing.Phone" + urls, state},
		{"a payment of hosted fields", &gateway.HostedPayment{Kind: store.Purchase, Name: "John Doe"},
			func(t testing.TB, kit *gatewaytest.Kit, r any) error {
				token := kerneltest.HostedToken(t, kit, "ORD-1", gatewaytest.Settles)
				_, err := kit.HostedFields().Pay(t.Context(), token, *r.(*gateway.HostedPayment))
				return err
			}, "Billing.Phone", state},
	}
	const known = "Action Order.Number ReturnURL CallbackURL Parameters ScheduleID Identifier " +
		"Payer.Address.Phone WalletToken" +
		" MPI.ECI MPI.AuthenticationValue MPI.DSTransID MPI.Version MPI.TransStatus MPI.XID "
	numbers := map[store.Protocol]string{
		store.Checkout: known + "Wallet CardToken", store.S2SCard: known + "Wallet CardToken Payee.Address.Phone",
		store.S2SAPM: known + "Payee.Address.Phone",
	}
	for protocol, numbers := range numbers {
		r := goCharge(protocol, func(*gateway.ChargeRequest) {})
		name := "a charge, " + string(protocol)
		doors = append(doors, textDoor{name, &r, func(t testing.TB, kit *gatewaytest.Kit, r any) error {
			_, err := kit.Shop().Charge(t.Context(), *r.(*gateway.ChargeRequest))
			return err
		}, numbers, ""})
	}
	return doors
}

func TestCardNumbersInEveryText(t *testing.T) {
	t.Parallel()
	for _, door := range textDoors() {
		paths := textsOf(reflect.TypeOf(door.request).Elem(), "")
		require.Greater(t, len(paths), 5)
		for _, path := range paths {
			t.Run(door.name+" "+path, func(t *testing.T) {
				t.Parallel()
				kit := gatewaytest.New(t)
				request := reflect.New(reflect.TypeOf(door.request).Elem())
				request.Elem().Set(reflect.ValueOf(door.request).Elem())
				putText(request.Elem(), path)
				err := door.send(t, kit, request.Interface())
				switch {
				case strings.Contains(" "+door.numbers+" ", " "+path+" "):
					require.NoError(t, err, "refused, but listed as a number")
				case strings.Contains(" "+door.dropped+" ", " "+path+" "):
					require.NoError(t, err, "refused, but listed as dropped")
					requireNoRecord(t, kit, "4111.1111")
				default:
					require.Error(t, err)
					requireNoRecord(t, kit, "4111.1111")
				}
			})
		}
	}
}
