package vcard

import "github.com/tollgatepay/gateway/store"

// The reasons of declines, for merchants and payers.
const (
	reasonDeclined = store.ReasonProcessing
	reasonSoft     = "Try another MID"
	reasonShort    = "Insufficient funds"
	reasonNoPayer  = "Payer did not finish"
	reasonNo3DS    = "3-D Secure authentication failed"
	reasonLeft     = "Payer cancelled at the bank"
	reasonUnpaid   = store.ReasonUnpaid
	reasonRefused  = "Payer refused to pay"
	reasonCode     = "One-time code is wrong"
	reasonNobody   = "Nobody is there to choose the amount"
	reasonWallet   = "Wallet is not supported this way"
)
