package signature_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"github.com/tollgatepay/gateway/callback/signature"
)

// A merchant's endpoint checks the hash of a Checkout callback before it trusts it, and then compares it with its
// own order.
func ExampleVerify() {
	const password = "m3rch4ntP4ss"
	endpoint := func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
		if err := r.ParseForm(); err != nil {
			http.Error(w, "ERROR", http.StatusBadRequest)
			return
		}
		inputs := signature.Inputs{
			PaymentID:   r.PostForm.Get("id"),
			OrderNumber: r.PostForm.Get("order_number"),
			Amount:      r.PostForm.Get("order_amount"),
			Currency:    r.PostForm.Get("order_currency"),
			Description: r.PostForm.Get("order_description"),
		}
		hash := r.PostForm.Get("hash")
		if !signature.Verify(signature.CheckoutCallback, signature.MD5, inputs, password, hash) {
			http.Error(w, "ERROR", http.StatusForbidden)
			return
		}
		fmt.Fprint(w, "OK")
	}

	form := url.Values{
		"id":                {"50a1361a-7c2e-11f1-b8d4-0242ac120002"},
		"order_number":      {"order-1234"},
		"order_amount":      {"10.00"},
		"order_currency":    {"USD"},
		"order_description": {"Important gift"},
		"status":            {"success"},
		"hash":              {"9eddb423ef8a8c2e36e8717eb5e638cdeb17d957"},
	}
	for _, amount := range []string{"10.00", "1.00"} {
		form.Set("order_amount", amount)
		w, r := httptest.NewRecorder(), httptest.NewRequest("POST", "/callback", strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		endpoint(w, r)
		fmt.Println(amount, w.Code)
	}
	// Output:
	// 10.00 200
	// 1.00 403
}

// An APM callback is signed over all of its parameters: pass the form as it was parsed.
func ExampleVerify_apm() {
	form := url.Values{
		"action": {"SALE"}, "result": {"SUCCESS"}, "status": {"SETTLED"}, "order_id": {"order-1234"},
		"trans_id": {"50a1361a-7c2e-11f1-b8d4-0242ac120002"}, "trans_date": {"2026-01-02 03:04:05"},
		"amount": {"10.00"}, "currency": {"USD"}, "custom_data[b]": {"2"}, "custom_data[a]": {"1"},
		"hash": {"fa74bb9059526313cff2021fd21f251b"},
	}
	inputs := signature.Inputs{Body: form}
	fmt.Println(signature.Verify(signature.APMCallback, signature.MD5, inputs, "m3rch4ntP4ss", form.Get("hash")))
	// Output: true
}

// A capture of a card payment may be signed by either of two formulas.
func ExampleVerifyAny() {
	inputs := signature.Inputs{
		Email: "doe@example.com", Card: "411111******1111", TransID: "50a1361a-7c2e-11f1-b8d4-0242ac120002",
	}
	hash := signature.Sign(signature.APMTrans, signature.MD5, inputs, "m3rch4ntP4ss")
	accepted := []signature.Formula{signature.Card2, signature.APMTrans}
	fmt.Println(signature.VerifyAny(accepted, signature.MD5, inputs, "m3rch4ntP4ss", hash))
	// Output: true
}
