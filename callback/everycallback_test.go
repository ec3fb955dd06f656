package callback_test

import (
	"strings"

	"github.com/tollgatepay/gateway/store"
)

// documented is a callback of the documents, or of a row of the state table. A test of the whole library compares
// these lists with that table. action is the type on Checkout, result the status there.
type documented struct {
	protocol store.Protocol
	action   string
	result   string
	status   store.Status
	variant  string // of variants; empty for the plain one. It may begin with the kind: debit, debit-auth
}

func (c documented) String() string {
	return strings.TrimSpace(strings.Join([]string{string(c.protocol), c.action, c.result, string(c.status), c.variant},
		" "))
}

// file returns the name of the golden file.
func (c documented) file() string {
	return strings.ReplaceAll(strings.ToLower(c.String()), " ", "-") + ".txt"
}

func everyCallback() []documented {
	var all []documented
	for _, list := range []struct {
		protocol store.Protocol
		rows     string
	}{{store.Checkout, checkoutCallbacks}, {store.S2SCard, cardCallbacks}, {store.S2SAPM, apmCallbacks}} {
		for line := range strings.Lines(strings.TrimSpace(list.rows)) {
			words := strings.Fields(line)
			c := documented{protocol: list.protocol, action: words[0], result: words[1], status: store.Status(words[2])}
			if len(words) > 3 {
				c.variant = words[3]
			}
			all = append(all, c)
		}
	}
	return all
}

// checkoutCallbacks: type, status, order_status (in the spelling of the records). callbacks.md, "Callback sequence
// and finality"; checkout.md, "Callback parameters"; SPEC1, "States and transitions".
const checkoutCallbacks = `
sale       success   SETTLED
sale       success   SETTLED    additions
sale       success   SETTLED    nothing-to-add
sale       success   SETTLED    sha256
sale       success   SETTLED    recurring-init
sale       success   SETTLED    card-token
sale       success   SETTLED    wallet
sale       success   SETTLED    moto
sale       success   SETTLED    exchange
sale       success   SETTLED    crypto
sale       success   PENDING    auth
sale       fail      DECLINED
sale       fail      DECLINED   additions
sale       waiting   PREPARE
sale       undefined PREPARE
sale       undefined 3DS
sale       undefined REDIRECT
sale       undefined PENDING    auth
3ds        success   3DS
redirect   success   REDIRECT
init       success   PENDING    crypto
init       success   PENDING    crypto-unchosen
capture    success   SETTLED
capture    success   SETTLED    additions
capture    success   SETTLED    recurring-init
capture    fail      PENDING
capture    undefined PENDING
refund     success   REFUND
refund     success   REFUND     additions
refund     success   SETTLED    partial
refund     success   REVERSAL
refund     fail      SETTLED
refund     fail      REFUND
refund     fail      PENDING
refund     waiting   SETTLED
refund     waiting   REFUND
refund     waiting   PENDING
refund     undefined SETTLED
refund     undefined REFUND
refund     undefined PENDING
refund     success   CHARGEBACK
void       success   VOID
void       fail      SETTLED
void       undefined SETTLED
recurring  success   SETTLED
recurring  success   SETTLED    additions
recurring  success   PENDING    auth
recurring  fail      DECLINED
recurring  waiting   PREPARE
recurring  undefined PREPARE
debit      success   SETTLED
debit      success   SETTLED    additions
debit      success   SETTLED    card-token
debit      fail      DECLINED
debit      waiting   PREPARE
debit      undefined PREPARE
transfer   success   SETTLED
transfer   success   SETTLED    additions
transfer   fail      DECLINED
transfer   waiting   PREPARE
transfer   undefined PREPARE
credit     success   SETTLED
credit     success   SETTLED    additions
credit     fail      DECLINED
credit     waiting   PREPARE
credit     undefined PREPARE
credit     success   SETTLED    crypto
chargeback success   CHARGEBACK
chargeback success   CHARGEBACK additions
sale       waiting   PENDING    crypto
recurring  undefined 3DS
recurring  undefined REDIRECT
recurring  undefined PENDING    auth
recurring  waiting   DECLINED   retry
recurring  undefined DECLINED   retry
recurring  success   SETTLED    debit
recurring  success   PENDING    debit-auth
recurring  fail      DECLINED   debit
recurring  waiting   PREPARE    debit
recurring  undefined PREPARE    debit
recurring  undefined 3DS        debit
recurring  undefined REDIRECT   debit
recurring  undefined PENDING    debit-auth
recurring  waiting   DECLINED   debit-retry
recurring  undefined DECLINED   debit-retry
debit      success   PENDING    auth
debit      undefined PENDING    auth
debit      undefined 3DS
debit      undefined REDIRECT
3ds        success   3DS        debit
redirect   success   REDIRECT   debit
transfer   undefined 3DS
transfer   undefined REDIRECT
3ds        success   3DS        transfer
redirect   success   REDIRECT   transfer
credit     waiting   PENDING    crypto
credit     undefined PENDING    crypto
init       success   PENDING    credit-crypto
capture    success   SETTLED    debit
capture    fail      PENDING    debit
capture    undefined PENDING    debit
void       success   VOID       debit
void       fail      SETTLED    debit
void       undefined SETTLED    debit
refund     success   REVERSAL   debit
refund     fail      SETTLED    debit
refund     fail      PENDING    debit
refund     waiting   SETTLED    debit
refund     waiting   PENDING    debit
refund     undefined SETTLED    debit
refund     undefined PENDING    debit
refund     fail      CHARGEBACK
refund     waiting   CHARGEBACK
refund     undefined CHARGEBACK
chargeback success   CHARGEBACK debit
`

// cardCallbacks: action, result, status. s2s_card.md: the callbacks of each action.
const cardCallbacks = `
SALE            SUCCESS   SETTLED
SALE            SUCCESS   SETTLED    additions
SALE            SUCCESS   SETTLED    nothing-to-add
SALE            SUCCESS   SETTLED    sha256
SALE            SUCCESS   SETTLED    recurring-init
SALE            SUCCESS   SETTLED    card-token
SALE            SUCCESS   SETTLED    wallet
SALE            SUCCESS   SETTLED    exchange
SALE            SUCCESS   PENDING    auth
SALE            SUCCESS   PREPARE
SALE            DECLINED  DECLINED
SALE            DECLINED  DECLINED   additions
SALE            REDIRECT  3DS
SALE            REDIRECT  REDIRECT
SALE            UNDEFINED 3DS
SALE            UNDEFINED REDIRECT
SALE            UNDEFINED PENDING    auth
SALE            UNDEFINED PREPARE
CAPTURE         SUCCESS   SETTLED
CAPTURE         SUCCESS   SETTLED    additions
CAPTURE         SUCCESS   SETTLED    recurring-init
CAPTURE         DECLINED  PENDING
CAPTURE         UNDEFINED PENDING
CREDITVOID      SUCCESS   REFUND
CREDITVOID      SUCCESS   REFUND     additions
CREDITVOID      SUCCESS   REVERSAL
CREDITVOID      SUCCESS   SETTLED    partial
CREDITVOID      SUCCESS   CHARGEBACK
CREDITVOID      DECLINED  SETTLED
CREDITVOID      DECLINED  REFUND
CREDITVOID      DECLINED  PENDING
CREDITVOID      UNDEFINED SETTLED
CREDITVOID      UNDEFINED REFUND
CREDITVOID      UNDEFINED PENDING
CREDITVOID      WAITING   SETTLED
CREDITVOID      WAITING   REFUND
CREDITVOID      WAITING   PENDING
VOID            SUCCESS   VOID
VOID            SUCCESS   VOID       additions
VOID            DECLINED  SETTLED
VOID            UNDEFINED PENDING
VOID            UNDEFINED SETTLED
DEBIT           SUCCESS   SETTLED
DEBIT           SUCCESS   SETTLED    additions
DEBIT           SUCCESS   SETTLED    card-token
DEBIT           SUCCESS   3DS
DEBIT           SUCCESS   REDIRECT
DEBIT           DECLINED  DECLINED
DEBIT           REDIRECT  3DS
DEBIT           REDIRECT  REDIRECT
DEBIT           UNDEFINED 3DS
DEBIT           UNDEFINED REDIRECT
DEBIT           UNDEFINED PREPARE
RECURRING_SALE  SUCCESS   SETTLED
RECURRING_SALE  SUCCESS   SETTLED    additions
RECURRING_SALE  SUCCESS   SETTLED    retry
RECURRING_SALE  SUCCESS   PENDING    auth
RECURRING_SALE  SUCCESS   PREPARE
RECURRING_SALE  DECLINED  DECLINED
RECURRING_SALE  DECLINED  DECLINED   retry
RECURRING_SALE  REDIRECT  3DS
RECURRING_SALE  REDIRECT  REDIRECT
RECURRING_SALE  UNDEFINED 3DS
RECURRING_SALE  UNDEFINED REDIRECT
RECURRING_SALE  UNDEFINED PENDING    auth
RECURRING_SALE  UNDEFINED PREPARE
RECURRING_DEBIT SUCCESS   SETTLED
RECURRING_DEBIT DECLINED  DECLINED
RECURRING_DEBIT UNDEFINED PREPARE
CREDIT2CARD     SUCCESS   SETTLED
CREDIT2CARD     SUCCESS   SETTLED    additions
CREDIT2CARD     SUCCESS   SETTLED    sha256
CREDIT2CARD     DECLINED  DECLINED
CREDIT2CARD     UNDEFINED PREPARE
CARD2CARD       SUCCESS   SETTLED
CARD2CARD       SUCCESS   SETTLED    additions
CARD2CARD       SUCCESS   3DS
CARD2CARD       DECLINED  DECLINED
CARD2CARD       REDIRECT  3DS
CARD2CARD       REDIRECT  REDIRECT
CARD2CARD       UNDEFINED 3DS
CARD2CARD       UNDEFINED REDIRECT
CARD2CARD       UNDEFINED PREPARE
CHARGEBACK      SUCCESS   CHARGEBACK
CHARGEBACK      SUCCESS   CHARGEBACK additions
RECURRING_SALE  UNDEFINED DECLINED   retry
RECURRING_DEBIT SUCCESS   PENDING    auth
RECURRING_DEBIT REDIRECT  3DS
RECURRING_DEBIT REDIRECT  REDIRECT
RECURRING_DEBIT UNDEFINED 3DS
RECURRING_DEBIT UNDEFINED REDIRECT
RECURRING_DEBIT UNDEFINED PENDING    auth
RECURRING_DEBIT UNDEFINED DECLINED
DEBIT           SUCCESS   PENDING    auth
DEBIT           UNDEFINED PENDING    auth
CAPTURE         SUCCESS   SETTLED    debit
CAPTURE         DECLINED  PENDING    debit
CAPTURE         UNDEFINED PENDING    debit
VOID            SUCCESS   VOID       debit
VOID            DECLINED  SETTLED    debit
VOID            UNDEFINED SETTLED    debit
CREDITVOID      SUCCESS   REVERSAL   debit
CREDITVOID      DECLINED  SETTLED    debit
CREDITVOID      DECLINED  PENDING    debit
CREDITVOID      WAITING   SETTLED    debit
CREDITVOID      WAITING   PENDING    debit
CREDITVOID      UNDEFINED SETTLED    debit
CREDITVOID      UNDEFINED PENDING    debit
CREDITVOID      DECLINED  CHARGEBACK
CREDITVOID      WAITING   CHARGEBACK
CREDITVOID      UNDEFINED CHARGEBACK
CHARGEBACK      SUCCESS   CHARGEBACK debit
`

// apmCallbacks: action, result, status. s2s_apm.md: the callbacks of each action.
const apmCallbacks = `
SALE                SUCCESS   SETTLED
SALE                SUCCESS   SETTLED    additions
SALE                SUCCESS   SETTLED    nothing-to-add
SALE                SUCCESS   SETTLED    sha256
SALE                SUCCESS   SETTLED    exchange
SALE                SUCCESS   SETTLED    crypto
SALE                SUCCESS   SETTLED    crypto-open
SALE                SUCCESS   SETTLED    crypto-email
SALE                SUCCESS   PENDING    auth
SALE                INIT      PENDING    crypto
SALE                DECLINED  DECLINED
SALE                DECLINED  DECLINED   additions
SALE                DECLINED  DECLINED   crypto
SALE                DECLINED  DECLINED   crypto-email
SALE                REDIRECT  3DS
SALE                REDIRECT  REDIRECT
SALE                UNDEFINED REDIRECT
SALE                UNDEFINED PREPARE
SALE                UNDEFINED PENDING    crypto
CAPTURE             SUCCESS   SETTLED
CAPTURE             SUCCESS   SETTLED    additions
CAPTURE             DECLINED  PENDING
CAPTURE             UNDEFINED PENDING
CREDITVOID          SUCCESS   REFUND
CREDITVOID          SUCCESS   REFUND     additions
CREDITVOID          SUCCESS   REFUND     crypto
CREDITVOID          SUCCESS   REFUND     crypto-email
CREDITVOID          SUCCESS   REVERSAL
CREDITVOID          SUCCESS   SETTLED    partial
CREDITVOID          SUCCESS   CHARGEBACK
CREDITVOID          DECLINED  SETTLED
CREDITVOID          DECLINED  REFUND
CREDITVOID          DECLINED  PENDING
CREDITVOID          UNDEFINED SETTLED
CREDITVOID          UNDEFINED REFUND
CREDITVOID          UNDEFINED PENDING
CREDITVOID          WAITING   SETTLED
CREDITVOID          WAITING   REFUND
CREDITVOID          WAITING   PENDING
VOID                SUCCESS   VOID
VOID                SUCCESS   VOID       additions
VOID                DECLINED  SETTLED
VOID                UNDEFINED SETTLED
CREDIT2VIRTUAL      SUCCESS   SETTLED
CREDIT2VIRTUAL      SUCCESS   SETTLED    additions
CREDIT2VIRTUAL      SUCCESS   SETTLED    sha256
CREDIT2VIRTUAL      DECLINED  DECLINED
CREDIT2VIRTUAL      UNDEFINED PREPARE
CREDIT2CRYPTO       INIT      PENDING    crypto
CREDIT2CRYPTO       INIT      DECLINED   crypto
CREDIT2CRYPTO       SUCCESS   SETTLED    crypto
CREDIT2CRYPTO       DECLINED  DECLINED   crypto
CREDIT2CRYPTO       UNDEFINED PREPARE    crypto
CREDIT2CRYPTO       UNDEFINED PENDING    crypto
DEBIT2VIRTUAL       SUCCESS   SETTLED
DEBIT2VIRTUAL       SUCCESS   SETTLED    additions
DEBIT2VIRTUAL       SUCCESS   SETTLED    complete
DEBIT2VIRTUAL       SUCCESS   3DS
DEBIT2VIRTUAL       SUCCESS   REDIRECT
DEBIT2VIRTUAL       DECLINED  DECLINED
DEBIT2VIRTUAL       DECLINED  DECLINED   complete
DEBIT2VIRTUAL       REDIRECT  3DS
DEBIT2VIRTUAL       REDIRECT  REDIRECT   complete
DEBIT2VIRTUAL       UNDEFINED REDIRECT
DEBIT2VIRTUAL       UNDEFINED PREPARE
DEBIT2VIRTUAL_CALC  SUCCESS   PREPARE
DEBIT2VIRTUAL_CALC  SUCCESS   PREPARE    additions
DEBIT2VIRTUAL_CALC  DECLINED  DECLINED
DEBIT2VIRTUAL_CALC  UNDEFINED PREPARE
CHARGEBACK          SUCCESS   CHARGEBACK
CHARGEBACK          SUCCESS   CHARGEBACK additions
SALE                UNDEFINED 3DS
DEBIT2VIRTUAL       SUCCESS   PENDING    auth
DEBIT2VIRTUAL       UNDEFINED PENDING    auth
DEBIT2VIRTUAL       UNDEFINED 3DS
CAPTURE             SUCCESS   SETTLED    debit
CAPTURE             DECLINED  PENDING    debit
CAPTURE             UNDEFINED PENDING    debit
VOID                SUCCESS   VOID       debit
VOID                DECLINED  SETTLED    debit
VOID                UNDEFINED SETTLED    debit
CREDITVOID          SUCCESS   REVERSAL   debit
CREDITVOID          DECLINED  SETTLED    debit
CREDITVOID          DECLINED  PENDING    debit
CREDITVOID          WAITING   SETTLED    debit
CREDITVOID          WAITING   PENDING    debit
CREDITVOID          UNDEFINED SETTLED    debit
CREDITVOID          UNDEFINED PENDING    debit
CREDITVOID          DECLINED  CHARGEBACK
CREDITVOID          WAITING   CHARGEBACK
CREDITVOID          UNDEFINED CHARGEBACK
CHARGEBACK          SUCCESS   CHARGEBACK debit
`
