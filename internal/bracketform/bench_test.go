package bracketform_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tollgatepay/gateway/internal/bracketform"
)

// saleBody is an S2S SALE as clients send it, 700 bytes.
const saleBody = "action=SALE&client_key=c2b8fb04-110f-11ea-bcd3-0242c0a85004&order_id=ORDER-12345&order_amount=1.99" +
	"&order_currency=USD&order_description=One+wooden+chair%2C+painted&card_number=4111111111111111" +
	"&card_exp_month=01&card_exp_year=2038&card_cvv2=000&payer_first_name=John&payer_last_name=Doe" +
	"&payer_middle_name=Henry&payer_birth_date=1970-02-17&payer_address=Big+street+21&payer_address2=Flat+4" +
	"&payer_country=US&payer_state=CA&payer_city=City&payer_zip=123456&payer_email=doe%40example.com" +
	"&payer_phone=199999999&payer_ip=123.123.123.123&term_url_3ds=https%3A%2F%2Fclient.example.com%2Freturn.php" +
	"&term_url_target=_top&recurring_init=N&auth=N&req_token=N" +
	"&parameters[installment]=3&custom_data[cart]=77-1" +
	"&hash=2702ae0c4f99506dc29b5615ba9ec3c0"

func BenchmarkSale(b *testing.B) {
	b.SetBytes(int64(len(saleBody)))
	b.ReportAllocs()
	for b.Loop() {
		if _, faults := bracketform.Parse([]byte(saleBody), bracketform.Limits{}); faults != nil {
			b.Fatal(faults)
		}
	}
}

func BenchmarkSaleParseQuery(b *testing.B) {
	b.SetBytes(int64(len(saleBody)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := url.ParseQuery(saleBody); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBomb(b *testing.B) {
	for name, body := range bombs() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				_, _ = bracketform.Parse(body, bracketform.Limits{})
			}
		})
	}
}

func TestSale(t *testing.T) {
	t.Parallel()
	form, faults := bracketform.Parse([]byte(saleBody), bracketform.Limits{})
	require.NoError(t, faults.Err())
	theirs, err := url.ParseQuery(saleBody)
	require.NoError(t, err)
	ours := url.Values{}
	for name, value := range form.Pairs() {
		ours.Add(name, value)
	}
	require.Equal(t, theirs, ours)
}
