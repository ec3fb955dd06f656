package checkout_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// clauses are the clauses of SPEC1 for this protocol, except for Hosted Payment Fields, in its order, with the
// tests of each. The tests of what the hosted page shows are in its package.
var clauses = []struct {
	clause string
	tests  []string
}{
	{"What the service does, 1: redirect_url, the payer pays there", []string{"TestSPEC1CheckoutSession"}},
	{"What the service does: MID payment modes and auth", []string{"TestSPEC1PaymentModes", "TestSPEC1RoutingTable"}},
	{"What the service does: a MID in DMS mode keeps any sale in PENDING", []string{"TestSPEC1DMSKeepsSalesPending", "TestSPEC1RecurringOnDMS"}},
	{"Session request: every field and its rules", []string{"TestBadInputs", "TestAcceptedInputs"}},
	{"Session request: operation", []string{"TestSPEC1Operation", "TestSPEC1Transfer", "TestSPEC1CreditSession"}},
	{"Session request: cancel_url and Maximum count declines", []string{"TestSPEC1CancelURL", "TestSPEC1MaximumDeclines"}},
	{"Session request: expiry_url, session_expiry", []string{"TestSPEC1SessionExpiry", "TestSPEC1ExpiryURLIsBare"}},
	{"Session request: url_target and Override Link Target", []string{"TestSPEC1URLTarget"}},
	{"Session request: channel_id", []string{"TestSPEC1ChannelID"}},
	{"Session request: hash", []string{"TestSPEC1HashFormulas", "TestSPEC1HashCapitals", "TestSPEC1SHA256Mapping"}},
	{"Session request: customer.name", []string{"TestSPEC1NameOptions"}},
	{"Session request: billing_address", []string{"TestSPEC1AddressIsCollected"}},
	{"Session request: billing_address.language", []string{"TestSPEC1Language"}},
	{"Session request: custom_data", []string{"TestSPEC1CustomData", "TestSPEC1CustomDataAtItsLimit"}},
	{"Operation-specific: methods", []string{"TestSPEC1Methods", "TestSPEC1PreRouting"}},
	{"Operation-specific: req_token", []string{"TestSPEC1ReqToken"}},
	{"Operation-specific: card_token", []string{"TestSPEC1CardToken", "TestSPEC1CardTokenErrors"}},
	{"Operation-specific: recurring_init", []string{"TestSPEC1RecurringInitOfAHold", "TestSPEC1RecurringInit", "TestSPEC1RecurringInitDeclined"}},
	{"Operation-specific: schedule_id, schedule_start_date, payment_schedule_amount", []string{"TestSPEC1Schedule", "TestSPEC1ScheduleOfASession"}},
	{"Operation-specific: vat_calc", []string{"TestSPEC1VATCalc"}},
	{"Operation-specific: moto_type", []string{"TestSPEC1MOTO", "TestSPEC1MOTOPayment"}},
	{"Operation-specific: payee, payee_billing_address", []string{"TestSPEC1CreditSession", "TestSPEC1PayeeState", "TestSPEC1Transfer"}},
	{"Operation-specific: crypto.network", []string{"TestSPEC1CryptoWithoutAmount"}},
	{"Operation-specific: form_id", []string{"TestSPEC1FormID"}},
	{"Operation-specific: zero order.amount", []string{"TestSPEC1ZeroAmount", "TestSPEC1ZeroAmountIsPaid"}},
	{"Amount format", []string{"TestSPEC1AmountFormat", "TestSPEC1AmountIsHashedAsSent"}},
	{"Amount format: crypto without amount", []string{"TestSPEC1CryptoWithoutAmount"}},
	{"Amount format: transfer of -1", []string{"TestSPEC1TransferOfAnOpenAmount", "TestSPEC1OpenAmountOfOthers"}},
	{"Status lookup by order: size", []string{"TestSPEC1StatusSize"}},
	{"Status lookup: what Protocol Mapping adds", []string{"TestSPEC1StatusAdditions", "TestSPEC1StatusOf3DS", "TestSPEC1StatusARN"}},
	{"Status lookup: the answer", []string{"TestSPEC1StatusResponse", "TestSPEC1StatusOrderOfFields", "TestSPEC1StatusReason", "TestSPEC1StatusWords"}},
	{"Card payout by token", []string{"TestSPEC1CardCredit", "TestSPEC1CardCreditNames", "TestSPEC1CardCreditDeclined", "TestSPEC1CardCreditErrors", "TestSPEC1CardCreditHash", "TestSPEC1CardCreditHashAfterTheFields", "TestSPEC1CardCreditIsFinal", "TestSPEC1CardCreditAtOnce"}},
	{"States: PENDING, capture", []string{"TestSPEC1Capture", "TestSPEC1CaptureTooMuch", "TestSPEC1CaptureRefused", "TestSPEC1CaptureNeedsAnAuthorization"}},
	{"States: PENDING, CREDITVOID", []string{"TestSPEC1ReversalOfAnAuthorization"}},
	{"States: SETTLED, CREDITVOID", []string{"TestSPEC1Refund", "TestSPEC1RefundFull", "TestSPEC1RefundAtOnce", "TestSPEC1RefundOfAPartialCapture", "TestSPEC1PartialRefundSettledByMapping"}},
	{"States: any debit payment, CREDITVOID", []string{"TestSPEC1ReversalOfADebit"}},
	{"States: SETTLED, VOID", []string{"TestSPEC1Void", "TestSPEC1VoidNextFinancialDay", "TestSPEC1CaptureAndVoidAtOnce", "TestSPEC1VoidOfAnAuthorization"}},
	{"States: Checkout session, expiry", []string{"TestSPEC1SessionExpiry"}},
	{"States: DECLINED and the life of a session", []string{"TestSPEC1Declined", "TestSPEC1LinkPaysOnce", "TestSPEC1OnTheWay"}},
	{"Endpoints: recurring", []string{"TestSPEC1Recurring", "TestSPEC1RecurringCustomData", "TestSPEC1RecurringCustomer", "TestSPEC1RecurringOfATypedName", "TestSPEC1RecurringDeclined", "TestSPEC1RecurringDuplicate", "TestSPEC1RecurringHash"}},
	{"Endpoints: retry", []string{"TestSPEC1Retry", "TestSPEC1RetryNeedsALaterPayment"}},
	{"Authentication, 1", []string{"TestSPEC1HashAfterTheFields", "TestSPEC1BadHashAndUnknownKeyAreAlike", "TestSPEC1KeysBelongToTheirPassword", "TestSPEC1TestKey", "TestSPEC1ReturnLinkSignsNothing"}},
	{"Events: callback fields", []string{"TestSPEC1CustomData", "TestSPEC1ReqToken", "TestSPEC1RecurringInit", "TestSPEC1MOTOPayment", "TestSPEC1StatusOf3DS"}},
	{"Events: return query parameters and extras", []string{"TestSPEC1ReturnParameters", "TestSPEC1ReturnOnBothURLs", "TestSPEC1ErrorURL"}},
	{"Errors: Duplicate request.", []string{"TestSPEC1DuplicateWindow", "TestSPEC1DuplicateWindowCountsWhatWasAccepted", "TestSPEC1DuplicateWindowAtOnce"}},
	{"Errors: 204025 and the other routing errors", []string{"TestSPEC1NoRoute", "TestSPEC1MOTO"}},
	{"Errors: errors[] list", []string{"TestSPEC1ErrorsListsEveryField", "TestSPEC1ErrorsOneEntryPerField", "TestSPEC1ErrorsMixTypesAndRules", "TestSPEC1ErrorsOfNothing"}},
	{"Errors: status-lookup not-found codes", []string{"TestSPEC1NotFound"}},
	{"Errors: recurring, unknown init pair", []string{"TestSPEC1RecurringIncorrectTransaction", "TestSPEC1RecurringEnds"}},
	{"Limits: of MIDs", []string{"TestSPEC1Limits"}},
	{"Limits: cascades", []string{"TestSPEC1Cascade"}},

	{"6.7.0: status-lookup not-found code 101000", []string{"TestSPEC1NotFound"}},
	{"6.7.0: MID mode SMS/DMS and Checkout auth", []string{"TestSPEC1PaymentModes"}},
	{"6.7.0: moto_type", []string{"TestSPEC1MOTOPayment"}},
	{"6.7.0: schedule_start_date, payment_schedule_amount", []string{"TestSPEC1Schedule"}},
	{"6.7.0: zero amount on auth and recurring-init", []string{"TestSPEC1ZeroAmount"}},
	{"6.7.0: card_token on credit", []string{"TestSPEC1CardCredit"}},
	{"6.7.0: custom_data on recurring, debit, credit", []string{"TestSPEC1RecurringCustomData", "TestSPEC1CardCredit", "TestSPEC1CreditSession"}},
	{"6.7.0: size on status by order_id", []string{"TestSPEC1StatusSize"}},
	{"6.7.0: recurring debit", []string{"TestSPEC1RecurringInit"}},
	{"6.7.0: Override Link Target", []string{"TestSPEC1URLTarget"}},
	{"6.7.0: checkout_payment_method, brand, ARN, card in status, 3DS, browser attributes, 15 payer fields", []string{"TestSPEC1StatusAdditions", "TestSPEC1StatusOf3DS", "TestSPEC1StatusARN"}},
	{"6.7.0: return-parameter extras", []string{"TestSPEC1ReturnOnBothURLs"}},
	{"6.7.0: per-payment language", []string{"TestSPEC1Language"}},
	{"6.7.0: Terms and Conditions checkbox", []string{"TestSPEC1TermsAndConditions"}},
	{"6.7.0: state collected only for CA, US, JP, AU, IN", []string{"TestSPEC1AddressIsCollected", "TestAcceptedInputs"}},
	{"6.7.0: accept header forwarded to a connector", []string{"TestSPEC1BrowserFields"}},
	{"6.7.0: card_token in every debit callback, card data in debit callbacks by token", []string{"TestSPEC1ReqToken", "TestSPEC1CardToken"}},
	{"6.7.0: CREDITVOID reversal and refund rule", []string{"TestSPEC1ReversalOfADebit", "TestSPEC1ReversalOfAnAuthorization", "TestSPEC1Refund"}},
	{"6.6.4: Memory Storage redirect mode", []string{"TestSPEC1MemoryStorage"}},
	{"6.6.4: credit operation", []string{"TestSPEC1CreditSession"}},
	{"6.6.3: DMS capture", []string{"TestSPEC1Capture"}},
	{"6.6.3: billing_address.phone_country_code", []string{"TestSPEC1StatusAdditions"}},
	{"6.6.2: extended_data", []string{"TestSPEC1ExtendedData", "TestSPEC1StatusOf3DS", "TestSPEC1StatusOfFailed3DS"}},
	{"Events: Card-on-File attributes", []string{"TestSPEC1CardOnFile"}},
}

var testFunction = regexp.MustCompile(`(?m)^func (Test[A-Za-z0-9]+)\(`)

// Every clause has tests, and every test that is named for SPEC1 is listed with a clause.
func TestClauses(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	found := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, match := range testFunction.FindAllSubmatch(text, -1) {
			found[string(match[1])] = true
		}
	}
	listed := map[string]bool{}
	for _, c := range clauses {
		require.NotEmpty(t, c.tests, c.clause)
		for _, name := range c.tests {
			require.True(t, found[name], "%s: there is no %s", c.clause, name)
			listed[name] = true
		}
	}
	for name := range found {
		if len(name) > 9 && name[:9] == "TestSPEC1" {
			require.True(t, listed[name], "%s stands at no clause", name)
		}
	}
}
