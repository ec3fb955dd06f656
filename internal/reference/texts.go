package reference

import (
	"github.com/tollgatepay/gateway/contract"
	"github.com/tollgatepay/gateway/store"
)

// intros begin the pages. A line is a paragraph.
var intros = map[contract.Protocol]string{
	contract.Checkout: "JSON by POST. A session is opened by the shop's backend; the payer pays on the page of its " +
		"`redirect_url`, and a [callback](callbacks.md) tells the outcome." +
		samplesSay + againInSession,
	contract.Hosted: "JSON. The payer types the card into fields on the shop's own page, which come from the gateway; " +
		"the shop's backend opens the session and pays it, with the session's token in the header `Token`." +
		samplesSay + againInSession,
	contract.S2SCard: formsSay + "An object is written with brackets: `custom_data[key]=value`. Who sends card numbers " +
		"falls under PCI DSS. `/v2/post` differs from `/post` in `redirect_params`: a list of names and values in place " +
		"of an object." +
		samplesSay + againOnS2S + "To repeat a SALE, use a new `order_id`; the hash of a card SALE stays the same, since " +
		"the order is not part of it.\n" +
		"The [demo's cards](README.md#cards-of-the-demo) play declines, 3-D Secure and redirects.",
	contract.S2SAPM: formsSay + "`brand` names the [method](../methods.md), whose parameters are sent as " +
		"`parameters[name]=value`. `/post-va` takes these actions alone; `/post` those of S2S CARD too." +
		samplesSay + againOnS2S + "To repeat a SALE, use a new `order_id` and compute the hash again.\n" +
		"The demo plays each method that is for s2s_apm, with the parameters that it requires: some answer at once, others " +
		"send the payer to a page or wait for the money. `vcard` is its own, which answers at once. Identifier " +
		"`fail@gmail.com` is declined by every method; `success@gmail.com` and any other is paid.",
}

const formsSay = "Forms by POST, `application/x-www-form-urlencoded` or `multipart/form-data`; the answer is JSON. "

const samplesSay = "\n[The samples](README.md#the-samples) may be pasted, from the top of the page to its end. " +
	"[Amounts](README.md#amounts) and other [words](README.md#words-of-these-pages) mean the same on all pages."

// What holds for an order number that comes again.
const (
	againInSession = "\nAn order number that comes again within 15 seconds is refused with `Duplicate request.`, even " +
		"when the rest of the request differs. Later it opens another session, and may be paid again: the shop has to see " +
		"to it that no order is paid twice."
	againOnS2S = "\nAn `order_id` makes one payment. Sent again within 15 seconds it is refused with " +
		"`Duplicate request.`, later with `order_id: Duplicate payment.`, even when the rest of the request differs. "
)

const callbacksSay = "A form by POST to the merchant's notification URL, which the host sets as " +
	"[NotificationURL](../options.md#merchant); a request of S2S may name another in `callback_url`. Check the hash, " +
	"compare with your order, and answer HTTP 200 with the body `OK`; after anything else it may be sent again, with " +
	"the same bytes. Parameters may come in any order, and new ones may be added. " +
	"[Receive callbacks](../guides/receive-callbacks.md) has programs for it.\n" +
	"**A hash proves what it covers and nothing else**: a parameter that it leaves out, the status of the payment " +
	"among them, may have been changed on its way without any trace. Before you deliver goods or give money back " +
	"because of such a parameter, ask the gateway for the status of the payment, in a request of your own. " +
	"A Go program takes package `callback/receive`: it checks the hash, " +
	"and `Callback.Signed` names the parameters that it covered."

// unsignedSay says what follows from what the hash of a protocol leaves out.
var unsignedSay = map[store.Protocol]string{
	store.Checkout: "`type`, `status` and `order_status` are not covered, and the payer's return link carries the same " +
		"hash, after a decline too. So a payer can make a callback that says of a declined payment that it is settled, " +
		"with a hash that is right. Ask for the [status](checkout.md#post-apiv1paymentstatus).",
	store.S2SCard: "`action`, `result`, `status` and the amount are not covered: every callback of a payment has the " +
		"same hash, which is that of the requests about it too. Who has seen one can make another. Ask for the " +
		"[status](s2s-card.md#get_trans_status).",
	store.S2SAPM: "The first formula signs the callbacks of all actions but payouts, so these are covered as a whole. " +
		"Of payouts the amount is not covered, and of a crypto SALE under the option `crypto_sale_signature` neither is the " +
		"status. Ask for the [status](s2s-apm.md#get_trans_status).",
}

// The shop's page with the fields; a test of internal/browser pays on it.
const (
	fieldsSay = "**On the shop's page**, the library of the gateway puts three frames into elements of the page. " +
		"`TOKEN` is the token of the session; the page's origin is one of the merchant's " +
		"[Origins](../options.md#merchant), or without any that of one of the session's URLs."
	fieldsPage = `<form method="post" action="/paid">
  <div id="card"></div> <div id="expiry"></div> <div id="cvv"></div>
  <button type="button">Pay</button> <output></output>
</form>
<script src="http://localhost:8080/sdk/hosted-fields.js"></script>
<script>
  const form = document.forms[0];
  const fields = new HostedFields();
  fields.onSubmitResult = ({ result, message }) => {
    if (result === 'success') form.submit(); // your backend now sends the payment request
    else form.querySelector('output').textContent = message;
  };
  fields.init({
    sessionToken: 'TOKEN',
    fields: { card: { id: 'card' }, expiry: { id: 'expiry' }, cvv: { id: 'cvv' } },
  });
  form.querySelector('button').onclick = () => fields.collectIframesData();
</script>
`
	fieldsAnswer = "`success` says that the gateway has the card: nothing is paid yet. " +
		"`http://localhost:8080/sdk/hosted-fields.d.ts` has every member of the library, with its type."
)

// What the page of errors says around its samples.
const (
	refusalsSay = "Nothing was done when the status is 400, 403, 404 or 409. After a 500, ask for the status before " +
		"you try again. " +
		"Checkout and Hosted Payment Fields answer"
	faultsSay = "with one entry for each field that is refused. A refusal that names no field has one entry on " +
		"Checkout, and none on S2S:"
	codesSay = "`error_code` 0 at the top of Checkout only means: read `errors`. A wrong hash is " +
		"`hash: Hash is not valid.` in an entry of Checkout, and the message `Hash is not valid` of S2S. Many refusals " +
		"have the code 100000; their messages tell them apart. What is for Go callers or operators is never on the wire."
)
