package sim

// partnerMutants are defects in how the kernel works with acquirers and with a person's decisions.
var partnerMutants = []mutant{
	{"person-at-once L1", "internal/engine/recovery.go", "return unchanged(t, answer.Cause), \"\", stopped(ctx)", "return answer, \"the acquirer does not answer\", nil"},
	{"person-for-resends L1", "internal/engine/recovery.go", "return r.resend(ctx, connector, f, try, op)", "return answer, \"nobody knows\", nil"},
	{"daily-from-the-start L1", "internal/engine/schedule.go", "{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 24 * time.Hour}", "{24 * time.Hour}"},
	{"payout-resent M7", "internal/engine/recovery.go", "case can.IdempotentByKey && t.ErasedAt.IsZero() &&\n\t\t(needsNoCode(&op)", "case (can.IdempotentByKey || op.Kind == store.OpCredit) && (needsNoCode(&op)"},
	{"accepted-and-forgotten L1", "internal/engine/recovery.go", "if accepted(t) {", "if false {"},
	{"accepted-without-continuation M7", "internal/engine/ledger.go", "return t.Accepted || t.Outcome", "return t.Outcome"},
	{"absence-accepts L1", "internal/engine/outcome.go", "!s.absent && confirms(t, a)", "confirms(t, a)"},
	{"resent-without-code M7", "internal/engine/recovery.go", "t.SealedWallet != nil || can.ResendWithoutCode)", "true)"},
	{"resend-does-nothing C3", "callback/outbox.go", "return errors.Join(callbacks.Put(tx, c, id), start(tx, &c, now), Unlist(tx, id))", "return nil"},
	{"dispute-unchecked M6", "internal/engine/dispute.go", "case t.Amount.Cmp(p.Captured) > 0:", "case false:"},
	{"breach-unmarked S6", "internal/engine/settlement.go", "if !against || s.Transaction.Review != \"\" {", "if _ = against; true {"},
	{"breach-unlisted S6", "internal/engine/settlement.go", "if err := s.Tx.Put(records.KeyOfBreach(s.Payment.ID, s.Transaction.ID), []byte{}); err != nil {", "if err := error(nil); err != nil {"},
	{"follow-up-by-the-mid M7", "internal/engine/reserve.go", "t.Connector = parent.Connector", ""},
}
