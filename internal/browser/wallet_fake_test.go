package browser_test

import (
	"github.com/chromedp/cdproto/page"
	"github.com/stretchr/testify/require"
)

// fakeWallets replace the browser's wallets: their two interfaces, as far as the page may use them. Like the real
// ones they open only while a click is handled. Their calls are recorded in the storage of the tab, which outlives
// the page; the open sheet is window.sheet.
const fakeWallets = `(function () {
	function note(what, value) {
		var notes = JSON.parse(sessionStorage.getItem("notes") || "[]");
		notes.push({what: what, value: JSON.stringify(value)});
		sessionStorage.setItem("notes", JSON.stringify(notes));
	}
	function gesture() {
		if (!navigator.userActivation.isActive) { throw new DOMException("no gesture", "InvalidAccessError"); }
	}

	window.ApplePaySession = function (version, request) {
		note("asked", request);
		if (version !== 3) { throw new Error("version"); }
	};
	ApplePaySession.STATUS_SUCCESS = 0;
	ApplePaySession.STATUS_FAILURE = 1;
	ApplePaySession.supportsVersion = function (version) { return version <= 14; };
	ApplePaySession.canMakePayments = function () { return CAN; };
	ApplePaySession.prototype = {
		begin: function () {
			gesture();
			note("opened", "apple");
			window.sheet = this;
			this.onvalidatemerchant({validationURL: "VALIDATION"});
		},
		completeMerchantValidation: function (session) { note("merchant", session); this.ready = true; },
		completePayment: function (result) { note("completed", result.status === 0 ? "success" : "fail"); },
		abort: function () { note("aborted", ""); this.oncancel({}); },
		give: function (token) { this.onpaymentauthorized({payment: {token: token}}); },
		authorise: function (card) {
			this.give({
				paymentData: {data: card, version: "EC_v1"}, paymentMethod: {network: "Visa"},
				transactionIdentifier: "A1"
			});
		},
		dismiss: function () { this.oncancel({}); }
	};

	window.PaymentRequest = function (methods, details) {
		this.asked = {methods: methods, details: details};
		if (methods.length !== 1 || methods[0].supportedMethods !== "https://google.com/pay") {
			throw new RangeError("method");
		}
	};
	PaymentRequest.prototype = {
		canMakePayment: function () {
			return new Promise(function (known) { setTimeout(function () { known(CAN); }, 50); });
		},
		show: function () {
			gesture();
			note("asked", this.asked);
			note("opened", "google");
			window.sheet = this;
			var self = this;
			self.ready = true;
			return new Promise(function (done, failed) { self.done = done; self.failed = failed; });
		},
		give: function (token) {
			this.done({
				methodName: "https://google.com/pay", details: token,
				complete: function (result) { note("completed", result); return Promise.resolve(); }
			});
		},
		authorise: function (card) {
			this.give({apiVersion: 2, apiVersionMinor: 0, paymentMethodData: {type: "CARD", tokenizationData: {
				type: "PAYMENT_GATEWAY", token: JSON.stringify({signedMessage: card})
			}}});
		},
		dismiss: function () { this.failed(new DOMException("dismissed", "AbortError")); }
	};
})();`

// note is a call of a fake wallet. Value is JSON.
type note struct{ What, Value string }

// notes are all of the tab, in their order.
func (p *tab) notes() (list []note) {
	p.t.Helper()
	for _, n := range read[[]map[string]string](p, `JSON.parse(sessionStorage.getItem("notes") || "[]")`) {
		list = append(list, note{n["what"], n["value"]})
	}
	return list
}

// noted are the values of one kind.
func (p *tab) noted(what string) (values []string) {
	p.t.Helper()
	for _, n := range p.notes() {
		if n.What == what {
			values = append(values, n.Value)
		}
	}
	return values
}

// before runs a script in every page of the tab, before the page's own.
func (p *tab) before(script string) {
	p.t.Helper()
	do(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
}

// shows waits for the button of a wallet, which is there once the browser has said that it can open it.
func (p *tab) shows(button string) {
	p.t.Helper()
	p.until(`document.querySelector(` + quote(button) + `).getClientRects().length`)
}

// pressWallet presses the button of a wallet.
func (p *tab) pressWallet(button string) {
	p.t.Helper()
	p.shows(button)
	p.press(button)
}

// opens waits for a wallet's sheet.
func (p *tab) opens() {
	p.t.Helper()
	p.until(`window.sheet && sheet.ready`)
}

// authorise is the payer's approval on the sheet, for a card by name; it leaves the page.
func (p *tab) authorise(card string) {
	p.t.Helper()
	p.leave(func() { read[bool](p, `sheet.authorise(`+quote(card)+`) === undefined`) })
}

// give is authorise with a token, JSON text.
func (p *tab) give(token []byte) {
	p.t.Helper()
	p.leave(func() { read[bool](p, `sheet.give(`+string(token)+`) === undefined`) })
}

// completed checks the results that the wallet got.
func (p *tab) completed(results ...string) {
	p.t.Helper()
	for i, result := range results {
		results[i] = quote(result)
	}
	require.Equal(p.t, results, p.noted("completed"))
}
