package records

import "github.com/tollgatepay/gateway/store"

// Payment is the stored form of a payment. Like Transaction, Callback and Schedule it embeds the public value, which is
// all of it that leaves the gateway.
type Payment = store.PaymentRecord

// Transaction is the stored form of a transaction.
type Transaction = store.TransactionRecord

// Callback is the stored form of a callback.
type Callback = store.CallbackRecord

// Schedule is the stored form of a schedule.
type Schedule = store.ScheduleRecord
