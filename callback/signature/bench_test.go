package signature

import "testing"

func BenchmarkDigest(b *testing.B) {
	in := order()
	r := CheckoutSession.row()
	b.ReportAllocs()
	for b.Loop() {
		_ = r.sign(MD5, &in, shop)
	}
}

func BenchmarkSign(b *testing.B) {
	in := order()
	b.ReportAllocs()
	for b.Loop() {
		_ = Sign(CheckoutSession, MD5, in, shop)
	}
}

func BenchmarkVerify(b *testing.B) {
	in := order()
	hash := Sign(CheckoutSession, MD5, in, shop)
	b.ReportAllocs()
	for b.Loop() {
		_ = Verify(CheckoutSession, MD5, in, shop, hash)
	}
}

func BenchmarkVerifyUnicode(b *testing.B) {
	in := order()
	in.Description = "Straße"
	hash := Sign(CheckoutSession, MD5, in, shop)
	b.ReportAllocs()
	for b.Loop() {
		_ = Verify(CheckoutSession, MD5, in, shop, hash)
	}
}
