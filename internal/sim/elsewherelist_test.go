package sim

// foundElsewhere are defects that an ordinary test has to find: what is wrong is a text, a key, a date or a
// signature, and the simulator's judges look at money, states and callbacks. The others of the list of defects to
// plant are in mutants, partnerMutants and the defects of the simulator's own ports. Left out of all of them, as
// there is nothing here to plant them in:
//   - a connection that leaks on an error, and a migration without a lock: no back end keeps connections or has a
//     schema to migrate; a record carries the version of its own;
//   - ids of 32 bits: ids are texts throughout, of payments, sessions, transactions and callbacks.
var foundElsewhere = []elsewhere{
	// The outbox.
	{mutant{"chain-arrears-charged", "internal/records/plan.go", "p.skip(s, schedule.DateOf(s.PlanFrom, p.Location()).AddDays(1), now)", "p.skip(s, p.Begun, now)"}, "internal/recurring", "TestChangeChargesNoArrears"},
	{mutant{"chain-ends-by-a-part", "internal/recurring/agreement.go", "t.Amount.Add(p.Refunded).Add(p.Reserved).Cmp(p.Captured) >= 0", "true"}, "internal/recurring", "TestChainEnds"},
	{mutant{"chain-of-a-closed-protocol", "internal/door/authenticate.go", "case profile.Record().Disabled, !a.Free && profile.Off(a.Protocol):", "case profile.Record().Disabled:"}, "s2s", "TestProtocolSwitchedOff"},
	{mutant{"chain-amounts-told-always", "callback/checkout.go", "return !e.Mapping.OrderAmountOnly", "return true"}, "checkout", "TestAmountsOfFollowUps"},
	{mutant{"callback-key-without-kind", "store/callback.go", `digits := strconv.Itoa(number)`, `digits := strconv.Itoa(min(number, 1))`}, "callback", "TestCallbackKeys"},
	{mutant{"callback-keys-as-text", "store/callback.go", `"000"[:max(4-len(digits), 0)]`, `""`}, "callback", "TestCallbackKeys"},
	{mutant{"dead-letter-dropped", "callback/outbox.go", "c.State = store.CallbackDead\n\t\treturn put(tx, c, time.Time{}, now)", "return errors.Join(Outbox.Remove(tx, spotOf(&c), id, c.Due, now), callbacks.Delete(tx, id))"}, "callback", "TestDeadCallbackIsKept"},
	{mutant{"retry-after-ignored", "callback/outbox.go", "schedule.Next(try, now, r.RetryAfter)", "schedule.Next(try, now, 0)"}, "callback", "TestRetryAfterPutsADeliveryOff"},
	{mutant{"stuck-endpoint-delays-its-host", "callback/endpoint.go", "sum := sha256.Sum256([]byte(url))", "sum := sha256.Sum256([]byte(url[:min(len(url), 20)]))"}, "callback", "TestStuckEndpointDelaysNoOther"},
	{mutant{"stuck-endpoint-delays-all", "callback/endpoint.go", "sum := sha256.Sum256([]byte(url))", "sum := sha256.Sum256([]byte(url[:0]))"}, "callback", "TestStuckEndpointDelaysNoOther"},
	{mutant{"blocked-host-called", "callback/desk.go", "return blockOf(r, scopeOfHost(host, \"\").id, now)", "return blockOf(r, scopeOfHost(host[:0], \"\").id, now)"}, "callback", "TestWideBlocks"},
	{mutant{"blocked-merchant-called", "callback/desk.go", "return blockOf(r, scopeOfMerchant(merchant).id, now)", "return store.Block{}, nil"}, "callback", "TestWideBlocks"},
	{mutant{"one-url-blocks-its-merchant", "callback/endpoint.go", "if blocked && v == TimedOut {", "if blocked && v == \"\" {"}, "callback", "TestWideBlocks"},
	{mutant{"one-merchant-blocks-a-host", "callback/endpoint.go", "if s.shared && own >= blockCount {", "if false {"}, "callback", "TestWideBlocks"},
	{mutant{"no-share-of-a-merchant", "internal/share/share.go", "held == 0 || w.fits(held, all) && held < max(1, int(w)/4)", "held == 0 || held < int(w)"}, "callback", "TestShares"},
	{mutant{"no-share-of-a-host", "internal/share/share.go", "return w.fits(held, all) || newcomer && held < int(w)-w.reserved()", "return held >= 0"}, "callback", "TestShares"},
	{mutant{"groups-without-turns", "store/fairwalk.go", "w.turns.group = key", "_ = key"}, "store", "TestFairQueueTurns"},
	{mutant{"lanes-without-turns", "store/fairwalk.go", "w.turns.at(group, key)", "_ = key"}, "store", "TestFairQueueTurns"},
	{mutant{"attacker-takes-all-workers", "internal/share/share.go", "held < max(1, int(w)/4) && all < int(w)-w.reserved()", "held < int(w)"}, "internal/attack", "TestAttackOfTarpits"},
	{mutant{"no-worker-kept-for-newcomers", "internal/share/share.go", "int(w) / 8", "0"}, "internal/attack", "TestAttackOfTarpits"},
	{mutant{"deliveries-counted-out-never", "callback/desk.go", "d.away.add(c.MerchantID, hostOf(c.URL), -1)", ""}, "internal/attack", "TestAttackOfTarpits"},
	{mutant{"blocked-lanes-not-parked", "callback/desk.go", "guard.LaneBlock = func(s store.Spot) (store.Block, error) {\n", "guard.LaneBlock = func(s store.Spot) (store.Block, error) {\n\t\treturn store.Block{}, nil\n"}, "internal/attack", "TestAttackCostsOthersNothing"},
	{mutant{"parked-never-comes-back", "store/fairqueue.go", "errors.Join(q.unpark(tx, key), tx.Delete(key))", "tx.Delete(key)"}, "internal/attack", "TestAttackCostsOthersNothing"},
	{mutant{"block-lifted-by-half", "store/fairqueue.go", "from = Key(q.Name+\"p\", block, timePart(b.Until.Add(time.Microsecond)))", "return nil"}, "store", "TestFairQueueBlockedAnew"},
	{mutant{"try-not-given-back", "callback/giveback.go", "\tc.Tries--\n", ""}, "internal/work", "TestTryWithoutDeliveryIsGivenBack"},
	{mutant{"unknown-claim-not-given-back", "internal/delivery/courier.go", "d.unclaim(ctx, claimed)", "_ = claimed"}, "internal/work", "TestTryWithoutDeliveryIsGivenBack"},
	{mutant{"keys-away-counted-as-asked", "internal/engine/recovery.go", "if err != nil && !due.IsShut(err) {", "if false { // the key provider"}, "internal/work", "TestQuestionNotAskedIsNotCounted"},
	{mutant{"test-payments-told-as-live", "internal/charge/charge.go", "case test && m.TestNotificationURL != \"\":", "case false:"}, "internal/delivery", "TestNotificationURLs"},
	{mutant{"schedule-loses-the-url-it-brought", "internal/charge/due.go", "now != \"\" && !first.OwnURL", "now != \"\""}, "internal/delivery", "TestScheduledPaymentsKeepTheirURL"},
	{mutant{"schedule-loses-its-last-url", "internal/charge/due.go", "NotificationURL: first.NotificationURL, OwnURL", "NotificationURL: \"\", OwnURL"}, "internal/delivery", "TestScheduledPaymentsKeepTheirURL"},
	{mutant{"unreadable-stops-the-rest", "internal/due/aside.go", "err := do(entry.ID)\n\t\tif IsLost(err) {", "err := do(entry.ID)\n\t\tif false {"}, "internal/due", "TestUnreadableIsSetAside"},
	{mutant{"failing-store-sets-aside", "internal/due/aside.go", "func IsLost(err error) bool { return records.Absent(err)", "func IsLost(err error) bool { return err != nil"}, "internal/due", "TestStoreThatFailsSetsNothingAside"},
	{mutant{"broken-mid-is-asked", "internal/engine/recovery.go", "profile.Readable(p)", "profile.Readable(&store.Payment{})"}, "internal/due", "TestUnreadableIsSetAside"},
	{mutant{"unread-mapping-is-default", "internal/merchant/broken.go", "error { return p.broken.mappings[protocol] }", "error { return nil }"}, "internal/merchant", "TestUnreadableMappingOrWallets"},
	{mutant{"purge-takes-due-callbacks", "internal/retention/ages.go", "case c.State == store.CallbackDue:", "case false:"}, "internal/retention", "TestPurgeKeeps"},
	{mutant{"purge-before-the-callback", "internal/retention/agepayment.go", "there && c.State == store.CallbackDue", "there && c.State == \"\""}, "internal/retention", "TestPurgeKeeps"},

	// What follows a payment.
	{mutant{"debit-refund-as-refund", "internal/state/table.go", "{store.Debit, store.Settled, CreditVoid}:     store.OpReversal", "{store.Debit, store.Settled, CreditVoid}:     store.OpRefund"}, "internal/state", "TestClausesOfTheSpecification"},
	{mutant{"refund-of-refund", "internal/engine/reserve.go", "case store.OpSale, store.OpDebit:\n\t\treturn true", "case store.OpSale, store.OpDebit, store.OpRefund:\n\t\treturn true"}, "internal/engine", "TestRefundIsOfWhatTookTheMoney"},
	{mutant{"partial-capture-not-released", "internal/engine/outcome.go", "p.Captured, p.CapturedAt = t.Amount, s.Now\n\tcase store.OpRefund", "p.Captured, p.CapturedAt = p.Authorized, s.Now\n\tcase store.OpRefund"}, "checkout", "TestSPEC1RefundOfAPartialCapture"},
	{mutant{"amounts-by-identity", "internal/engine/reserve.go", "if t.Amount.Cmp(p.Captured) != 0 {", "if t.Amount != p.Captured {"}, "internal/engine", "TestFollowUps"},
	{mutant{"unknown-notice-makes-payment", "internal/engine/notification.go", "if errors.Is(err, store.ErrNotFound) {\n\t\treturn nil, nil, refusal.ErrNoSession", "if errors.Is(err, store.ErrNotFound) {\n\t\t_ = e.calls.update(ctx, func(tx store.Tx) error { return tx.Put(store.Key(\"p\", id), []byte(`{\"v\":1}`)) })\n\t\treturn nil, nil, refusal.ErrNoSession"}, "internal/engine", "TestNoticeOfNobodyCreatesNothing"},
	{mutant{"absence-believed", "internal/engine/event.go", "s.absent && s.moved:", "false:"}, "internal/engine", "TestAbsenceIsOvertaken"},
	{mutant{"resend-lost-to-an-older-try", "callback/outbox.go", "case r.Verdict == Accepted && try <= c.Tries:", "case r.Verdict == Accepted:"}, "callback", "TestResendOutlivesAnOlderTry"},
	{mutant{"recovery-lease-too-short", "internal/engine/recovery.go", "t.Due = now.Add(r.timeout(t.Connector) + 2*graceAfterDeadline)", "t.Due = now.Add(time.Microsecond)"}, "internal/engine", "TestRecoveryClaimOutlastsItsCall"},
	{mutant{"recovery-lease-of-another-timeout", "internal/engine/recovery.go", "now.Add(r.timeout(t.Connector) +", "now.Add(r.CallTimeout +"}, "internal/engine", "TestRecoveryClaimOutlastsItsCall"},

	// Schedules.
	{mutant{"schedule-anchor-drifts", "internal/schedule/anchor.go", "cmp.Or(s.DayOfMonth, a.Day)", "cmp.Or(s.DayOfMonth, a.Date.Day)"}, "internal/schedule", "TestOccurrences"},
	{mutant{"schedule-leap-day-lost", "internal/schedule/date.go", "min(day, last.Day())", "min(day, last.Day(), 28)"}, "internal/schedule", "TestOccurrences"},
	{mutant{"schedule-day-of-clock-change", "internal/schedule/start.go", "if !begin.IsZero() && start.Before(begin) {", "if false {"}, "internal/schedule", "TestStart"},
	{mutant{"ended-under-way", "internal/charge/rows.go", "{\"agreement\", isRecurring, func", "{\"agreement\", func(*Draft) bool { return false }, func"}, "internal/recurring", "TestChainEndsBeforeItsPayment"},
	{mutant{"schedule-date-twice", "internal/recurring/due.go", "plan.Slot++\n", ""}, "internal/recurring", "TestScheduledPayments"},
	{mutant{"schedule-skips-when-resumed", "internal/records/plan.go", "schedule.Anchor{Date: p.Last, Day: p.Anchor.Day}, 1", "schedule.Anchor{Date: p.Last, Day: p.Anchor.Day}, 2"}, "internal/recurring", "TestPausedSchedule"},

	// Lists.
	{mutant{"orders-of-anybody", "internal/records/schema.go", "[]string{table, w.MerchantID, Short(order)}", `[]string{table, "", Short(order)}`}, "internal/door", "TestOrdersOfOneMerchant"},
	{mutant{"status-of-anybody", "status.go", "p, err := records.OwnPayment(r, w, id)", "p, err := records.Payments.Get(r, id)"}, "internal/door", "TestOrdersOfOneMerchant"},
	{mutant{"size-without-order", "internal/records/order.go", "Limit: size, Reverse: true}", "Limit: size}"}, "checkout", "TestSPEC1StatusSize"},
	{mutant{"times-as-text", "store/queue.go", "if due.After(now) {", "if due.Format(time.RFC3339Nano) > now.UTC().Format(time.RFC3339Nano) {"}, "store", "TestDueByTime"},

	// Amounts.
	{mutant{"exponent-of-jpy", "methods/currencies.go", "(exponent int, ok bool) {\n", "(exponent int, ok bool) {\n\tif code == \"JPY\" {\n\t\treturn 2, true\n\t}\n"}, "methods", "TestISOExponents"},
	{mutant{"exponent-of-kwd", "methods/currencies.go", "(exponent int, ok bool) {\n", "(exponent int, ok bool) {\n\tif code == \"KWD\" {\n\t\treturn 2, true\n\t}\n"}, "methods", "TestISOExponents"},
	{mutant{"exponent-of-clf", "methods/currencies.go", "return 4, true", "return 3, true"}, "methods", "TestISOExponents"},
	{mutant{"amount-through-intpart", "store/amount.go", "return a.d.Cmp(b.d) }", "return decimal.NewFromInt(a.d.IntPart()).Cmp(decimal.NewFromInt(b.d.IntPart())) }"}, "store", "TestAmountArithmetic"},
	{mutant{"amount-through-float", "store/amount.go", "return Amount{d, text}, nil", "return amountOf(decimal.NewFromFloatWithExponent(d.InexactFloat64(), d.Exponent())), nil"}, "store", "TestParseAmount"},
	{mutant{"sum-through-float", "store/amount.go", "return amountOf(a.d.Add(b.d))", "return amountOf(decimal.NewFromFloat(a.d.InexactFloat64() + b.d.InexactFloat64()))"}, "store", "TestAmountArithmetic"},
	{mutant{"amounts-by-==", "store/amount.go", "func (a Amount) Cmp(b Amount) int { return a.d.Cmp(b.d) }", "func (a Amount) Cmp(b Amount) int {\n\tif a == b {\n\t\treturn 0\n\t}\n\tif a.d.LessThan(b.d) {\n\t\treturn -1\n\t}\n\treturn 1\n}"}, "store", "TestAmountArithmetic"},

	// Signatures.
	{mutant{"hash-by-prefix", "callback/signature/digest.go", "subtle.ConstantTimeCompare(d.hex[:], other.hex[:])", "subtle.ConstantTimeCompare(d.hex[:8], other.hex[:8])"}, "callback/signature", "TestEveryDigitCounts"},
	{mutant{"hash-of-any-length", "callback/signature/digest.go", "return subtle.ConstantTimeEq(int32(d.size), int32(other.size)) &\n\t\tsubtle.ConstantTimeCompare(d.hex[:], other.hex[:])", "n := min(d.size, other.size)\n\treturn subtle.ConstantTimeCompare(d.hex[:n], other.hex[:n])"}, "callback/signature", "TestWrongLength"},
	{mutant{"hash-on-reformatted-amount", "internal/sessionjson/session.go", "OrderNumber: order.Number, Amount: order.Amount,", "OrderNumber: order.Number, Amount: func(a string) string {\n\t\t\t\tif len(a) < 3 || a[len(a)-3] != '.' {\n\t\t\t\t\ta += \".00\"\n\t\t\t\t}\n\t\t\t\treturn a\n\t\t\t}(order.Amount),"}, "checkout", "TestSPEC1AmountIsHashedAsSent"},
	{mutant{"map-order-in-hash", "callback/signature/body.go", "slices.SortFunc(names, compareNames)", "slices.Sort(names[:0])\n\t_ = compareNames"}, "callback/signature", "TestBody"},

	// Secrets.
	{mutant{"mask-of-eight-and-four", "store/pan.go", "number[:min(6, len(number))]", "number[:min(8, len(number))]"}, "store", "TestParsePAN"},
	{mutant{"security-code-stored", "internal/charge/links.go", "if t.SealedCode, err = vault.SealHeld(c.linkSecret(), vault.SecurityCode, t.ID, cs.Random, code); err != nil {", "if t.SealedCode = append([]byte(nil), code...); err != nil {"}, "internal/engine", "TestNobodyOpensACode"},
	{mutant{"mark-not-given-back", "internal/engine/callmark.go", "\t\t*m.at(t) = m.was\n\t\tif m.at(t) == &t.Answering", "\t\tif m.at(t) == &t.Answering"}, "internal/engine", "TestForgedReturnLocksNobodyOut"},
	{mutant{"answer-unmarked", "internal/engine/answer.go", "len(asks) == 0 || t.AnswerCount != asked.AnswerCount ||\n\t\t\t!sameCall(t.Answering, asked.Answering)", "false"}, "internal/engine", "TestAnswerIsClaimed"},
	{mutant{"one-secret-for-two-links", "internal/charge/links.go", "drawn[:links.Size:links.Size], drawn[links.Size:]", "drawn[:links.Size:links.Size], drawn[:links.Size]"}, "internal/links", "TestLinksHaveSecretsOfTheirOwn"},
	{mutant{"code-beside-its-link", "internal/engine/callback.go", "\ts.Transaction.SealedCode = nil\n\treturn s.o.away", "\treturn s.o.away"}, "internal/engine", "TestNobodyOpensACode"},
	{mutant{"soft-decline-keeps-its-place", "internal/recurring/plan.go", "case moves && declinedSoftly(p, t):", "case false:"}, "internal/recurring", "TestSoftDeclineUsesNoSchedule"},
	{mutant{"steps-drop-the-code", "internal/engine/callback.go", "if len(s.Transaction.SealedCode) > 0 && methods.CapabilitiesOf(", "if len(s.Transaction.SealedCode) > 0 && s.o.answer.Redirect != nil && methods.CapabilitiesOf("}, "internal/engine", "TestCodeOutlastsEveryStep"},
	{mutant{"terms-unread", "internal/session/claim.go", "if claim.Agreed != nil {", "if false {"}, "internal/session", "TestPayerAgreesToWhatTheFormShows"},
	{mutant{"card-for-ever", "internal/engine/erase.go", "\t\tat = cardEnds(t)\n", ""}, "internal/engine", "TestAbandonedCardIsErased"},
	{mutant{"security-code-sealed-with-the-card", "internal/seal/card.go", "Expiry: card.Expiry, Holder: card.Holder}\n\tif payee", "Expiry: card.Expiry, Holder: card.Holder + card.Code.Digits()}\n\tif payee"}, "internal/canary", "TestCanary"},
	{mutant{"log-prints-request", "charge_create.go", "known, _ := gw.catalogue.Lookup(cmp.Or(method, \"card\"))", "if card != nil {\n\t\tgw.cfg.Log.Info(\"request\", \"card\", card.PAN.Digits())\n\t}\n\tknown, _ := gw.catalogue.Lookup(cmp.Or(method, \"card\"))"}, "internal/faults", "TestNumberStaysSealed"},
	{mutant{"error-echoes-number", "store/pan.go", "if !isPAN(text) {\n\t\treturn PAN{}, ErrPAN", "if !isPAN(text) {\n\t\treturn PAN{}, fmt.Errorf(\"%w: %s\", ErrPAN, text)"}, "store", "TestParsePAN"},
	{mutant{"rotation-loses-old-key", "internal/seal/sealer.go", "plain, err := s.Keys.Unwrap(ctx, wrapped)", "plain, err := s.Keys.Unwrap(ctx, keys.Wrapped{KeyID: s.current.KeyID, Bytes: wrapped.Bytes})"}, "internal/race", "TestEveryPaymentReadsBackAfterRotations"},
	{mutant{"nonce-reused", "internal/vault/vault.go", "io.ReadFull(random, box)", "io.ReadFull(random, box[:0])"}, "internal/vault", "TestSealKnownAnswer"},
	{mutant{"token-of-any-merchant", "internal/token/token.go", "case record.MerchantID != w.MerchantID || record.Test != w.Test:", "case record.Test != w.Test:"}, "internal/token", "TestTokenIsRefused"},

	// Signatures.
	{mutant{"hash-of-another-request", "internal/door/signed.go", "m.of != s.of", "m.sentByUs()"}, "internal/door", "TestHashSignsOneOrderAtEveryDoor"},
	{mutant{"hash-of-another-kind", "internal/door/signed.go", "[]string{kind, keyName(pay.Test)}", "[]string{kind[:0], keyName(pay.Test)}"}, "internal/door", "TestHashSignsOneKind"},
	{mutant{"hash-of-test-and-live", "internal/door/signed.go", "[]string{kind, keyName(pay.Test)}", "[]string{kind, keyName(pay.Test)[:0]}"}, "internal/door", "TestHashSignsOneKey"},
	{mutant{"link-unmarked", "payer_view.go", "if v.hash != \"\" {", "if false {"}, "internal/door", "TestLinkAndCallbackSignNothing"},
	{mutant{"callback-unmarked", "internal/door/senthash.go", "if p.Protocol.S2S() && !d.maySignRequest(p, body) {", "if p.Protocol.S2S() {"}, "internal/door", "TestCallbackSignsNoCard"},
	{mutant{"our-hash-signs", "internal/door/signed.go", "case m != nil && m.sentByUs():", "case m != nil && m.sentByUs() && false:"}, "internal/door", "TestCallbackSignsNoCard"},
	{mutant{"our-hash-asks", "internal/door/authenticate.go", "err := d.RefuseSent(ctx, profile, proof.Hash); err != nil", "err := error(nil); err != nil"}, "internal/door", "TestSentHashAsksForNothing"},
	{mutant{"our-hash-refused-late", "client.go", "refused && proof != nil {", "refused && proof != nil && proof.Formula == 0 {"}, "internal/door", "TestSentHashIsRefusedFirst"},
	{mutant{"payout-twice", "internal/door/signed.go", "paid: s.out", "paid: false"}, "internal/door", "TestPayoutIsPaidOnce"},
	{mutant{"payout-page-twice", "internal/charge/rows.go", "return door.PayOut(tx, &c.Payment)", "return nil"}, "internal/door", "TestPayoutByPageIsPaidOnce"},
	{mutant{"payout-never-again", "charge_consequences.go", "Do: declinedPayout}", "Do: func(*engine.Settlement) error { return nil }}"}, "internal/door", "TestDeclinedPayoutAgain"},
	{mutant{"cascade-frees-payout", "charge_consequences.go", " || s.Next() != nil {", " {"}, "internal/door", "TestCascadeOfPayoutIsPaidOnce"},
	{mutant{"recurring-by-window", "internal/door/signed.go", "recurringWindow = 24 * time.Hour", "recurringWindow = Window"}, "internal/door", "TestSameRecurringRequest"},
	{mutant{"marks-age-under-a-password", "internal/retention/agemarks.go", "slices.Contains(stay, parts[2]) || j.by(", "slices.Contains(stay, \"\") || j.by("}, "internal/door", "TestHashMarksAge"},
	{mutant{"marks-never-age", "internal/retention/agemarks.go", "if m.HashMarks == \"\" ||", "if true ||"}, "internal/door", "TestHashMarksAge"},
	{mutant{"windows-of-both-keys", "internal/records/schema.go", "if w.Test {\n\t\ttraffic", "if false {\n\t\ttraffic"}, "internal/door", "TestHashSignsOneKey"},
	{mutant{"ids-unchecked", "internal/ids/identifiers.go", "if fault := idFault(id); fault != \"\" {", "if fault := idFault(id); false {"}, ".", "TestNewIDIsChecked"},

	// Wallets.
	{mutant{"wallet-token-twice", "internal/token/use.go", "err := tx.Insert(u.key(),", "err := tx.Put(u.key(),"}, "internal/merchant", "TestWalletTokenReplayed"},
	{mutant{"wallet-recipient-prefix", "methods/wallet/google.go", `of != "gateway" && of != "merchant" || id == ""`, `of == "" || id == ""`}, "methods/wallet", "TestRecipientPrefix"},
	{mutant{"wallet-of-another-merchant", "methods/wallet/google.go", "subtle.ConstantTimeCompare([]byte(merchant), []byte(g.merchant)) != 1", "subtle.ConstantTimeCompare([]byte(merchant), []byte(g.merchant)) > 1"}, "methods/wallet", "TestGoogleMerchantRecipient"},
	{mutant{"wallet-expired-root", "methods/wallet/googlekeys.go", "if !now.Before(root.expires) {", "if false {"}, "methods/wallet", "TestGoogleRootKeys"},

	// Stores.
	{mutant{"panic-commits-in-memory", "store/memory/store.go", "defer tx.end()\n", "defer tx.end()\n\tdefer func() {\n\t\tif v := recover(); v != nil {\n\t\t\ts.root.Store(tx.root)\n\t\t\tpanic(v)\n\t\t}\n\t}()\n"}, "store/memory", "TestContract"},
	{mutant{"panic-commits-in-bolt", "store/bolt/committer.go", "defer tx.end()\n", "defer tx.end()\n\tdefer func() {\n\t\tif v := recover(); v != nil {\n\t\t\ts.add(g, tx.own)\n\t\t\tpanic(v)\n\t\t}\n\t}()\n"}, "store/bolt", "TestContract"},
	{mutant{"close-drops-what-runs", "store/internal/gate/gate.go", "g.run.Lock()\n\tdefer g.run.Unlock()\n", ""}, "store/memory", "TestContract"},
	{mutant{"nesting-unseen", "store/storetest/checked.go", "if upon > 0 &&", "if upon < 0 &&"}, "store/storetest", "TestCheckedFindsNesting"},
	{mutant{"nesting-unseen-in-a-kit", "gatewaytest/gatewaytest.go", "return storetest.Checked(t, s)", "_ = storetest.Checked\n\treturn s"}, "gatewaytest", "TestNestedTransaction"},
	{mutant{"unique-key-missing-in-bolt", "store/bolt/tx.go", "if t.lookup(key) != nil {\n\t\treturn store.ErrExists", "if false {\n\t\treturn store.ErrExists"}, "store/bolt", "TestContract"},
	{mutant{"unique-key-missing-in-memory", "store/memory/tx.go", "if get(t.root, key) != \"\" {\n\t\treturn store.ErrExists", "if false {\n\t\treturn store.ErrExists"}, "store/memory", "TestContract"},
	{mutant{"plan-forgets-its-scans", "store/optimistic.go", "range p.scans {", "range p.scans[:0] {"}, "store", "TestOptimisticChecksItsScans"},
	{mutant{"plan-scans-past-its-writes", "store/planscan.go", "if p.writesIn(rg) {", "if false {"}, "store", "TestOptimisticRunsAgainAfterAScanThatIsNotPlanned"},

	// Options.
	{mutant{"language-of-another-mapping", "payer_view.go", "return v.profile.Mapping(v.p.Protocol)", "return v.profile.Mapping(store.Checkout)"}, ".", "TestOptions"},
	{mutant{"memory-of-another-mapping", "internal/engine/calls.go", "Mapping(f.protocol).MemoryRedirect", "Mapping(store.Checkout).MemoryRedirect"}, "internal/engine", "TestMemoryRedirectIsOfTheProtocol"},
	{mutant{"memory-of-a-return", "internal/engine/keptreturn.go", "Mapping(l.p.Protocol).MemoryRedirect", "Mapping(store.Checkout).MemoryRedirect"}, "internal/engine", "TestMemoryRedirectIsOfTheProtocol"},
	{mutant{"channel-lost-on-the-page", "internal/charge/session.go", "Profile: p, Channel: s.ChannelID,", "Profile: p,"}, ".", "TestOptions"},
	{mutant{"mode-of-a-chain-ignored", "internal/route/route.go", "if r.Hold || a.Mode == store.DMS &&", "if r.Hold || a.Mode == store.DMS && r.MIDID == \"\" &&"}, ".", "TestOptions"},
	{mutant{"limits-of-another-mapping", "internal/engine/limits.go", "mapping: profile.Mapping(p.Protocol), test", "mapping: profile.Mapping(store.Checkout), test"}, ".", "TestOptions"},
	{mutant{"md5-for-all", "callback/apm.go", "Mode(e.Mapping)", "signature.MD5"}, ".", "TestOptions"},
	{mutant{"cascade-of-another-mapping", "internal/charge/attempt.go", "!c.Profile.Mapping(c.Payment.Protocol).Cascade || len", "!c.Profile.Mapping(store.Checkout).Cascade || len"}, ".", "TestOptions"},
	{mutant{"secrets-kept-from-the-connector", "internal/engine/acquirers.go", ", Secrets: mid.Secrets}", "}"}, "internal/fields", "TestSecretsReachTheConnector"},
	{mutant{"dead-callbacks-by-default", "internal/retention/ages.go", "store.CallbackDead: j.Keep.Dead", "store.CallbackDead: 180 * 24 * time.Hour"}, ".", "TestRetentionOptions"},
	{mutant{"merchant-read-again-by-the-page", "checkout/page/page.go", "h(w, r.WithContext(readonce.Begin(r.Context())))", "_ = readonce.Begin(r.Context())\n\t\t\th(w, r)"}, "internal/kerneltest", "TestStoreCalls"},
	{mutant{"merchant-read-again-by-hosted-fields", "hpf/hpf.go", "ctx = readonce.Begin(ctx)", "_ = readonce.Begin(ctx)"}, "internal/kerneltest", "TestStoreCalls"},
	{mutant{"merchant-read-again-by-an-answer", "session_answer.go", "ctx = readonce.Begin(ctx)", "_ = readonce.Begin(ctx)"}, "internal/kerneltest", "TestStoreCalls"},
	{mutant{"merchant-read-again-by-the-form", "payer_view.go", "if v.profile == nil {", "if true {"}, "internal/kerneltest", "TestStoreCalls"},
	{mutant{"proxies-believed-never", "checkout/page/page.go", "proxies: opts.TrustedProxies,", ""}, ".", "TestPageOptions"},
}
