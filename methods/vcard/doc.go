// Package vcard is the built-in test acquirer: a connector with a ledger of its own, documented test cards,
// simulated 3-D Secure and bank pages, and faults on demand.
//
// It behaves as an acquirer does, not as a mock: it is idempotent by our key, refuses to capture more than it
// authorized and to refund more than it captured, and keeps count of every effect (Ledger), so that a gateway's
// mistake shows in the acquirer's books. Its ledger is in the Store that it gets, under a prefix of its own and in
// transactions of its own, and so survives a crash of the gateway.
//
// # Test cards
//
// Any card number that passes the Luhn check, with any security code; the expiry decides. The rows marked * are
// the platform's documented ones, the others are our own. The number of the platform is 4111111111111111, and
// 4601541833776519 for payouts (CREDIT2CARD), which comes without an expiry.
//
//	01/2038 * settled; an authorization is held
//	02/2038 * declined: Declined by processing
//	03/2038 * authorization held, its capture declined
//	04/2038   declined softly, "Try another MID", so that a cascade goes on; approved by a MID whose
//	          setting vcard_soft (SoftSetting) is "off"
//	05/2038 * 3-D Secure, then approved
//	06/2038 * 3-D Secure, then declined
//	07/2038   pending, approved after PendingFor
//	08/2038   pending, declined after PendingFor
//	09/2038   unknown: never arrived; approved when it is sent again
//	10/2038   unknown: approved, but the answer was lost
//	11/2038   unknown: not found for LateBy, then approved (a late effect)
//	12/2038 * bank page, then approved
//	01/2039   3-D Secure without a page (frictionless), approved
//	02/2039   approved; a later payment of its chain is declined softly, "Insufficient funds", and approved when it
//	          is tried again
//	12/2039 * bank page, then declined
//	other     approved
//
// A transfer from card to card (CARD2CARD) goes by the expiry of the card that pays. Payouts (CREDIT) accept any
// expiry or none, and never send a payer to a page. The same holds when the gateway does not let the connector
// authenticate (Authentication other than AuthPlatform: mpi_data, whatever its trans_status says, MOTO, a later
// payment): 05/2038 and 12/2038 approve, 06/2038 and 12/2039 decline. A zero amount is approved like any other.
//
// The outcome of a 3-D Secure comes with its attributes (Facts.ThreeDS), all of them but for transStatusReason,
// which only a failure has:
//
//	transStatus         Y; N when the payer failed or did not finish
//	transStatusReason   01 failed, 14 did not finish
//	eci                 05 or 07; of Mastercard and Maestro 02 or 00
//	authenticationFlow  challenge; frictionless for 01/2039
//	protocolVersion     2.2.0
//
// # Methods without a card
//
// The identifier (Operation.Identifier, or else the parameter "identifier"), and only without one the payer's
// e-mail address, may be fail@gmail.com, which declines for any method. With success@gmail.com and any other, the
// kind of the method decides; payouts (CREDIT), the brand vcard, wallets and methods of no known kind approve:
//
//	redirect, voucher    bank page
//	qr                   QR code, for Operation.Window or QRTime
//	details              account (setting destination_account), amount and reference, for the window or
//	                     DetailsTime; bank-transfer-cuil and bank-transfer-curp first ask for the
//	                     payer's national id
//	crypto               address (Facts.CryptoAddress) and network (Operation.CryptoNetwork, or
//	                     TestNetwork), also as QR code, for the window or PayerTime; a payout
//	                     (CREDIT2CRYPTO) is pending, and approved after PendingFor
//	confirmation, link   pending, with a hint of what to do, for the window or PayerTime
//	collection           asks for the phone number, then for the one-time code; 000000 is wrong, and
//	by mobile account    declines the second time, any other code approves
//
// A payment that is not paid in time is declined. What is displayed has a last line with the URL of a page where a
// tester plays the payer's app or bank (PayHere); a test calls Pay, Resolve or BankNote instead. When the gateway
// does not let the connector authenticate, no payer is present to pay either: all of these approve.
//
// The payer chooses an open amount (Operation.AmountOpen) on that page, whatever the method is. Pay chooses it
// too, and Resolve, BankNote and a scripted approval make it one unit of the currency. Without a payer to choose,
// it is declined.
//
// # Wallets
//
// For a token that the gateway opened, the expiry of its card decides, as above: with 3-D Secure for a card number
// without a cryptogram, and without 3-D Secure for one that has a cryptogram. A token that is passed on is not
// opened: it is approved, except for the identifier or the e-mail address fail@gmail.com. A token that is not
// declared (Capabilities.Wallet, WalletHolds) is declined.
//
// # Stored cards
//
// A MID that registers stored cards (MID.COF) gets a reference with the approval of a charge that stores a card or
// uses one that is not registered yet (Facts.Credential), and declines a reference that it did not give at the
// same MID.
//
// # Schedules of the acquirer's own
//
// At a MID with the setting schedule "running" every approved charge begins a schedule at the acquirer
// (Entry.Schedule), which STOP_SCHEDULE ends. At any other MID none runs, and a stop is declined.
//
// # Commission
//
// A debit (DEBIT2VIRTUAL) by a method that is no card, and the calculation before one (CALC, of
// DEBIT2VIRTUAL_CALC), report a commission and the total of both:
//
//	exponent 0           1
//	other exponents      0.50 with the decimals of the currency, like 0.500
//
// A calculation moves no money. A debit that names one as its parent has to have its amount and currency, and
// completes it once; one that was declined may be tried again.
//
// # Mounting the pages
//
//	acquirer, err := vcard.New(vcard.Config{Store: s, Secret: secret, PublicURL: "https://host/vcard"})
//	mux.Handle("/vcard/", http.StripPrefix("/vcard", acquirer.Pages()))
//
// # An acquirer that can do less
//
// Config.Capabilities overrides what is declared, and the acquirer behaves accordingly: one that is not idempotent
// by key books a repeated key again. To make a connector without one of the optional interfaces, forward the calls that
// it should have; a struct that embeds a methods.Connector is refused for what it hides:
//
//	type blind struct{ acquirer *vcard.Connector } // performs, and cannot be asked
//
//	func (b blind) Perform(ctx context.Context, op methods.Operation) methods.Answer {
//		return b.acquirer.Perform(ctx, op)
//	}
package vcard
