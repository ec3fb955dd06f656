package engine_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// kept names the card data that is left in the records.
func kept(t testing.TB, kit *gatewaytest.Kit) (names []string) {
	t.Helper()
	for _, tr := range openedTransactions(t, kit) {
		for name, there := range map[string]bool{
			"held": tr.SealedCode != nil, "next": tr.SealedRedirect != nil, "card": tr.SealedCard != nil, "mpi": tr.SealedMPI != nil,
			"wallet": tr.SealedWallet != nil, "sent": tr.SealedSent != nil, "return": tr.Returning != nil &&
				tr.Returning.Kept != nil,
		} {
			if there {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// openedTransactions reads the transactions, even if other records cannot be read.
func openedTransactions(t testing.TB, kit *gatewaytest.Kit) (list []records.Transaction) {
	t.Helper()
	require.NoError(t, kit.Store.View(t.Context(), func(r store.Reader) error {
		list = nil
		for p, err := range kerneltest.Payments.Scan(r, kerneltest.Everything) {
			require.NoError(t, err)
			for _, tr := range p.Transactions {
				list = append(list, *tr)
			}
		}
		return nil
	}))
	return list
}

// everyKind stores one of each kind of card data in the only transaction, as in a record from before links
// had an end.
func everyKind(t testing.TB, kit *gatewaytest.Kit) {
	t.Helper()
	kerneltest.RewriteTransaction(t, kit, func(tr *records.Transaction) {
		sealed := &store.Sealed{KeyID: "k", DataKey: []byte("d"), Box: []byte("b")}
		tr.SealedCode, tr.SealedRedirect = []byte("h"), []byte("n")
		tr.SealedCard, tr.SealedMPI, tr.SealedWallet, tr.SealedSent = sealed, sealed, sealed, sealed
		tr.Returning = &store.CallMark{ID: "1", Kept: []byte("k")}
		tr.LinkEndsAt = time.Time{}
	})
}

// Card and security code of an abandoned attempt are erased when the link ends, in every state and even if no
// acquirer can be asked. Nothing is left after a day.
func TestAbandonedCardIsErased(t *testing.T) {
	t.Parallel()
	for name, option := range map[string]func(*kerneltest.ScriptedConnector) gatewaytest.Option{
		"waiting": func(p *kerneltest.ScriptedConnector) gatewaytest.Option { return p.Option },
		"waiting, cannot be asked": func(p *kerneltest.ScriptedConnector) gatewaytest.Option {
			return patient{onlyOnce{p}}.option
		},
		"in doubt, under review": func(p *kerneltest.ScriptedConnector) gatewaytest.Option {
			p.OnPerform = nothingKnown
			return onlyOnce{p}.option
		},
		"in doubt, asked for ever": func(p *kerneltest.ScriptedConnector) gatewaytest.Option {
			p.OnPerform = nothingKnown
			return p.Option
		},
	} {
		for _, way := range kerneltest.WaysAway {
			for _, old := range []bool{false, true} {
				t.Run(name+", "+way.Name, func(t *testing.T) {
					t.Parallel()
					p := &kerneltest.ScriptedConnector{OnPerform: kerneltest.ToIssuer, NeedsCode: true}
					kit := gatewaytest.New(t, option(p))
					way.Start(t, kit, gatewaytest.Settles)
					if old {
						everyKind(t, kit)
					}
					kit.Advance(t, 24*time.Hour)
					require.Empty(t, kept(t, kit))
					tr := kerneltest.TransactionOf(t, kit, kit.Payment(t, "ORD-1").Transactions[0].ID)
					require.False(t, tr.Outcome.Final(), "no timer declines")
					_, err := kit.Return(t.Context(), kerneltest.ReturnToken(t, p.Operation(0)), kerneltest.GenuineReturn)
					require.NoError(t, err, "the link still shows a page")
				})
			}
		}
	}
}

// A transaction is set aside when its configuration cannot be read. Its card is erased like
// any other, it is reported once, and it is recovered once the record is repaired.
func TestCardSetAsideIsErased(t *testing.T) {
	t.Parallel()
	for name, perform := range map[string]func(methods.Operation) methods.Answer{"waiting": kerneltest.ToIssuer,
		"in doubt": nothingKnown} {
		for _, d := range kerneltest.Damages[3:5] { // of the configuration: the payment itself can be read
			for _, way := range kerneltest.WaysAway {
				t.Run(name+", "+d.Name+", "+way.Name, func(t *testing.T) {
					t.Parallel()
					var l kerneltest.AsideListener
					p := &kerneltest.ScriptedConnector{OnPerform: perform, NeedsCode: true, OnFind: kerneltest.Approves}
					kit := gatewaytest.New(t, p.Option, l.Option)
					way.Start(t, kit, gatewaytest.Settles)
					everyKind(t, kit)
					mend := kerneltest.DamageTable(t, kit, d.Table(&kerneltest.DueWorks[1]), nil, d.Damage)
					cold := kit.Twin(t)
					cold.Advance(t, 23*time.Hour)
					require.Len(t, kerneltest.AsideOf(t, kit, gateway.WorkRecovery), 1)
					require.NotEmpty(t, kept(t, kit))
					cold.Advance(t, time.Hour)
					require.Empty(t, kept(t, kit))
					cold.Advance(t, 100*time.Hour)
					require.Len(t, slices.DeleteFunc(l.Heard, func(a gateway.Aside) bool { return a.Work != gateway.WorkRecovery }), 1)

					mend()
					list := kerneltest.AsideOf(t, kit, gateway.WorkRecovery)
					require.Len(t, list, 1)
					require.NoError(t, cold.Operator().Resume(t.Context(), list[0].Work, list[0].ID))
					kit.Twin(t).Advance(t, time.Minute)
					require.True(t, openedTransactions(t, kit)[0].Outcome.Final())
				})
			}
		}
	}
}

func nothingKnown(op methods.Operation) methods.Answer { return methods.Unknown(op, "502") }

// The link of a session ends within a day, and the code with it. The card stays while recovery may have to
// resend it.
func TestCodeGoesWithTheLink(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		perform func(methods.Operation) methods.Answer
		left    []string
	}{"waiting": {kerneltest.ToIssuer, nil}, "in doubt": {nothingKnown, []string{"card"}}} {
		for _, way := range kerneltest.WaysAway[:2] {
			t.Run(name+", "+way.Name, func(t *testing.T) {
				t.Parallel()
				p := &kerneltest.ScriptedConnector{OnPerform: c.perform, NeedsCode: true}
				p.OnFind = func(op methods.Operation) methods.Answer { return methods.Unknown(op, "502") }
				kit := gatewaytest.New(t, p.Option)
				way.Start(t, kit, gatewaytest.Settles)
				require.Contains(t, kept(t, kit), "held")
				kit.Advance(t, 59*time.Minute)
				require.Contains(t, kept(t, kit), "held", "a payer who began in time may finish")
				kit.Advance(t, 2*time.Minute)
				require.Equal(t, c.left, kept(t, kit))
			})
		}
	}
}

// After the card is erased, a payer's return is completed without a card if the connector needs none.
// Otherwise the acquirer is asked, or a person decides.
func TestReturnAfterTheCardIsGone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		option func(*kerneltest.ScriptedConnector) gatewaytest.Option
		needs  bool
		calls  int
		status store.Status
	}{
		{"needs no card", func(p *kerneltest.ScriptedConnector) gatewaytest.Option { return onlyOnce{p}.option }, false, 1,
			store.Settled},
		{"needs one, and can be asked", func(p *kerneltest.ScriptedConnector) gatewaytest.Option { return p.Option }, true, 0,
			store.Settled},
		{"needs one, and cannot", func(p *kerneltest.ScriptedConnector) gatewaytest.Option { return unasked{p}.option }, true,
			0, store.ThreeDS},
	} {
		for _, way := range kerneltest.WaysAway {
			if way.Name == "S2S APM" {
				continue // has no card
			}
			t.Run(c.name+", "+way.Name, func(t *testing.T) {
				t.Parallel()
				p := &kerneltest.ScriptedConnector{OnPerform: kerneltest.ToIssuer, NeedsCode: c.needs}
				p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer { return kerneltest.Approves(op) }
				p.OnFind = func(op methods.Operation) methods.Answer { return methods.Pending(op, nil) }
				kit := gatewaytest.New(t, c.option(p))
				way.Start(t, kit, gatewaytest.Settles)
				kit.Advance(t, 25*time.Hour)
				p.OnFind = kerneltest.Approves
				_, err := kit.Return(t.Context(), kerneltest.ReturnToken(t, p.Operation(0)), kerneltest.GenuineReturn)
				require.NoError(t, err)
				require.Equal(t, c.calls, p.Calls())
				for _, op := range p.Completed {
					require.Nil(t, op.Card)
				}
				require.Equal(t, c.status, kit.Payment(t, "ORD-1").Status)
			})
		}
	}
}

// unasked has the capabilities of its connector, but cannot be asked.
type unasked struct{ p *kerneltest.ScriptedConnector }

func (u unasked) option(c *gateway.Config) {
	c.Connectors["vcard"] = struct {
		kerneltest.Plain
		methods.Declarer
		methods.Completer
	}{kerneltest.Plain{Connector: u.p}, u.p, u.p}
}

// intruder has the database and the keys. They can read everything that the data keys open, above all
// callbacks, and use the links in them.
type intruder struct {
	secrets [][]byte
	known   map[string]bool
}

var anyLink = regexp.MustCompile(`/(?:return|auth|notify)/([A-Za-z0-9_-]{60,})`)

func (i *intruder) reads(t testing.TB, text string) {
	t.Helper()
	for _, link := range anyLink.FindAllStringSubmatch(text, -1) {
		secret := []byte(kerneltest.SecretOf(t, link[1]))
		if i.known[string(secret)] {
			continue
		}
		mac := hmac.New(sha256.New, secret)
		mac.Write([]byte("page"))
		i.known[string(secret)] = true
		i.secrets = append(i.secrets, secret, mac.Sum(nil))
	}
}

// opens reports whether any code can be opened, or is stored in plain.
func (i *intruder) opens(t testing.TB, kit *gatewaytest.Kit) bool {
	t.Helper()
	b := kerneltest.ReadBooks(t, kit)
	for _, tr := range b.Transactions {
		if string(tr.SealedCode) == kerneltest.CanaryCode {
			return true
		}
	}
	for n := 0; n < len(i.secrets); n++ { // secrets grows in the loop
		for _, tr := range b.Transactions {
			if _, err := vault.OpenHeld(i.secrets[n], vault.SecurityCode, tr.ID, tr.SealedCode); err == nil {
				return true
			}
			for _, box := range [][]byte{tr.SealedRedirect, tr.SealedReturnPage} {
				if plain, err := vault.OpenHeld(i.secrets[n], vault.ReturnData, tr.ID, box); err == nil {
					i.reads(t, string(plain))
				}
			}
			if tr.Returning != nil {
				if plain, err := vault.OpenHeld(i.secrets[n], vault.ReturnData, tr.ID+"/return", tr.Returning.Kept); err == nil {
					i.reads(t, string(plain))
				}
			}
		}
	}
	return false
}

// Database and keys together never open a security code, on any protocol, at any time of an attempt, whether
// or not the connector needs the code at the payer's return. The payer's own link does open it.
func TestNobodyOpensACode(t *testing.T) {
	t.Parallel()
	for _, needs := range []bool{false, true} {
		for _, several := range []bool{false, true} { // MIDs of a cascade
			for _, way := range kerneltest.WaysAway {
				t.Run(way.Name, func(t *testing.T) {
					t.Parallel()
					p := &kerneltest.ScriptedConnector{OnPerform: kerneltest.ToIssuer, NeedsCode: needs}
					p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer {
						if op.MID.ID == "live" && several {
							return methods.SoftDeclined(op, "Try elsewhere")
						}
						return methods.Pending(op, op.Continuation)
					}
					kit := gatewaytest.New(t, p.Option)
					if several {
						kerneltest.AddMIDs(t, kit, "second", "third")
						for _, protocol := range store.Protocols() {
							kerneltest.SwitchCascading(t, kit, protocol)
						}
					}
					look := func() {
						kit.Work(t)
						i := &intruder{known: map[string]bool{}}
						for _, form := range kit.Inbox.Fields(t) {
							for _, values := range form {
								for _, value := range values {
									i.reads(t, value)
								}
							}
						}
						require.False(t, i.opens(t, kit))
						payer := &intruder{known: map[string]bool{}}
						last := p.Operation(len(p.Sent) - 1)
						payer.reads(t, last.ReturnURL)
						held := kerneltest.TransactionOf(t, kit, last.TransactionID).SealedCode != nil
						require.Equal(t, held, payer.opens(t, kit))
						require.True(t, held || !needs || way.Name == "S2S APM", "a connector that needs the code has it")
					}
					way.Start(t, kit, gatewaytest.Settles)
					look()
					_, err := kit.Return(t.Context(), kerneltest.ReturnToken(t, p.Operation(0)), kerneltest.GenuineReturn)
					require.NoError(t, err)
					look()
					if several && way.Name != "Go API" {
						require.Len(t, p.Sent, 2)
					}
				})
			}
		}
	}
}

// On S2S both the answer and the callback may redirect the payer. If the connector needs the code at the
// return, only the answer does, because the body of the callback is stored.
func TestBothWaysToTheIssuer(t *testing.T) {
	t.Parallel()
	for _, needs := range []bool{false, true} {
		p := &kerneltest.ScriptedConnector{OnPerform: kerneltest.ToIssuer, NeedsCode: needs}
		p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer { return kerneltest.Approves(op) }
		kit := gatewaytest.New(t, p.Option)
		r := kerneltest.Charged(t, kit, "ORD-1", kerneltest.CanaryCard(t, 1, 2038), kerneltest.ViaCard, kerneltest.GoesBack)
		require.Equal(t, "https://acs.example/go", r.Redirect.URL)
		form := kerneltest.FormsOf(t, kit, "ORD-1")[0]
		require.Equal(t, "REDIRECT", form.Get("result"))
		if needs {
			require.NotContains(t, form, "redirect_url")
			require.NotContains(t, form, "redirect_params[TermUrl]")
		} else {
			require.Equal(t, r.Redirect.URL, form.Get("redirect_url"))
			require.Equal(t, r.Redirect.Params[0].Value, form.Get("redirect_params[TermUrl]"))
		}
		p.ComeBack(t, kit)
		op := p.Completed[0]
		require.Equal(t, kerneltest.CanaryPAN, op.Card.PAN.Digits())
		require.Equal(t, needs, op.Card.Code.Digits() == kerneltest.CanaryCode)
		require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
	}
}

// Without the code the cascade continues only at connectors that need none.
func TestCascadeWithoutCode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		only     bool // that need the code
		attempts int
	}{
		{"S2S, none is needed", false, 2}, {"S2S, it is needed", true, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := kerneltest.FirstAway()
			p.OnlyWithCode = c.only
			kit := gatewaytest.New(t, p.Option)
			kerneltest.AddMIDs(t, kit, "second")
			kerneltest.SwitchCascading(t, kit, store.S2SCard)
			kerneltest.Charged(t, kit, "ORD-1", kerneltest.CanaryCard(t, 1, 2038), kerneltest.ViaCard)
			p.ComeBack(t, kit)
			require.Len(t, p.Sent, c.attempts)
			for _, op := range p.Sent[1:] {
				require.Empty(t, op.Card.Code.Digits())
			}
		})
	}
	t.Run("Checkout, it is needed and there", func(t *testing.T) {
		t.Parallel()
		p := kerneltest.FirstAway()
		p.OnlyWithCode = true
		kit := gatewaytest.New(t, p.Option)
		kerneltest.AddMIDs(t, kit, "second")
		kerneltest.SwitchCascading(t, kit, store.Checkout)
		kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), kerneltest.CanaryCard(t, 1, 2038))
		p.ComeBack(t, kit)
		require.Len(t, p.Sent, 2)
		require.Equal(t, kerneltest.CanaryCode, p.Sent[1].Card.Code.Digits())
	})
}

// heldCode is a charge by card that waits, and what decides whether its security code is held.
type heldCode struct {
	name     string
	nobody   bool           // can be sent away: the acquirer completes no return
	needs    bool           // the acquirer says that it needs the code at the return
	cascade  store.Protocol // that has cascades
	second   bool           // there is another MID
	declined bool           // the first MID has declined: the other one waits
	codeless bool           // the card came without a code
	held     bool
}

// connector returns the acquirer of the case.
func (c *heldCode) connector() methods.Connector {
	s := &kerneltest.ScriptedConnector{NeedsCode: c.needs}
	s.OnPerform = func(op methods.Operation) methods.Answer {
		if c.declined && len(s.Sent) == 1 {
			return methods.SoftDeclined(op, "Try another")
		}
		return methods.Pending(op, nil)
	}
	if c.nobody {
		return sendingNobody{kerneltest.Plain{Connector: s}, s}
	}
	return s
}

// kit returns a gateway with the acquirer, the MIDs and the mapping of the case.
func (c *heldCode) kit(t *testing.T) *gatewaytest.Kit {
	t.Helper()
	kit := gatewaytest.New(t, func(cfg *gateway.Config) { cfg.Connectors["vcard"] = c.connector() })
	if c.second {
		kerneltest.AddMIDs(t, kit, "second")
	}
	if c.cascade != "" {
		kerneltest.SwitchCascading(t, kit, c.cascade)
	}
	return kit
}

// sendingNobody is an acquirer that completes no payer's return, whatever it declares.
type sendingNobody struct {
	kerneltest.Plain
	methods.Declarer
}

// No code is sealed where no later step can use it.
func TestCodeIsHeldOnlyWhereItIsOfUse(t *testing.T) {
	t.Parallel()
	for _, c := range []heldCode{
		{name: "its connector needs it", needs: true, held: true},
		{name: "its connector needs it, and none came", needs: true, codeless: true},
		{name: "its connector does not need it"},
		{name: "another MID follows", cascade: store.S2SCard, second: true, held: true},
		{name: "its connector and another MID need it", needs: true, cascade: store.S2SCard, second: true, held: true},
		{name: "there is no other MID", cascade: store.S2SCard},
		{name: "the other MID follows in no cascade", second: true},
		{name: "the other MID follows on another protocol", cascade: store.Checkout, second: true},
		{name: "the other MID is the one that waits", cascade: store.S2SCard, second: true, declined: true},
		{name: "nobody is sent away, though its connector needs it", nobody: true, needs: true},
		{name: "nobody is sent away, though another MID follows", nobody: true, cascade: store.S2SCard, second: true},
		{name: "nobody is sent away, and nothing needs it", nobody: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit, card := c.kit(t), kerneltest.CanaryCard(t, 1, 2038)
			if c.codeless {
				card.Code = store.SecurityCode{}
			}
			r := kerneltest.Charged(t, kit, "ORD-1", card, kerneltest.ViaCard)
			require.Equal(t, store.Waiting, r.Transaction.Outcome)
			require.Equal(t, c.declined, len(kerneltest.AttemptsOf(t, kit, "ORD-1")) > 1)
			stored := kerneltest.TransactionOf(t, kit, r.Transaction.ID)
			require.Equal(t, c.held, stored.SealedCode != nil)
			require.Equal(t, !c.codeless, stored.Coded)
		})
	}
}

// Whatever is kept of the payer and of their card for an open transaction is erased with its outcome.
func TestOutcomeErasesWhatIsKept(t *testing.T) {
	t.Parallel()
	end := func(answer func(methods.Operation) methods.Answer) func(*testing.T, *gatewaytest.Kit, *stillPending) {
		return func(t *testing.T, kit *gatewaytest.Kit, p *stillPending) {
			p.OnFind = answer
			kit.Advance(t, 5*time.Minute)
		}
	}
	for _, c := range []struct {
		name string
		end  func(*testing.T, *gatewaytest.Kit, *stillPending)
		want store.Outcome
	}{
		{"approved", end(kerneltest.Approves), store.Success},
		{"declined", end(func(op methods.Operation) methods.Answer { return methods.Declined(op, "No") }), store.Fail},
		{"decided by a person", func(t *testing.T, kit *gatewaytest.Kit, _ *stillPending) {
			id := kit.Payment(t, "ORD-1").Transactions[0].ID
			_, err := kit.Operator().ResolveDoubt(t.Context(), kerneltest.ReviewOf(t, kit, id, "not on the statement"), false)
			require.NoError(t, err)
		}, store.Fail},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := &stillPending{&kerneltest.ScriptedConnector{OnPerform: kerneltest.ToBank}}
			kit := gatewaytest.New(t, func(c *gateway.Config) { c.Connectors["vcard"] = p })
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
			box := &store.Sealed{KeyID: "k", DataKey: []byte{1}, Box: []byte{1}}
			kerneltest.RewriteTransaction(t, kit, func(tr *records.Transaction) {
				tr.SealedCode, tr.SealedRedirect, tr.Continuation = []byte{1}, []byte{1}, []byte{1}
				tr.SealedCard, tr.SealedMPI, tr.SealedWallet, tr.SealedSent = box, box, box, box
				tr.Display = &store.Display{QR: "qr"}
				tr.Prompts, tr.PromptsAnswered = []store.Prompt{{Name: "code"}}, []store.Prompt{{Name: "code"}}
				tr.Returning, tr.Answering = &store.CallMark{ID: "1", Kept: []byte{1}}, &store.CallMark{ID: "2"}
			})
			c.end(t, kit, p)

			after := *kerneltest.ReadBooks(t, kit).Payments[0].Transactions[0]
			require.Equal(t, c.want, after.Outcome)
			for _, kept := range []any{
				after.SealedCode, after.SealedRedirect, after.Continuation, after.SealedCard, after.SealedMPI, after.SealedWallet,
				after.SealedSent, after.Display, after.Prompts, after.PromptsAnswered, after.Returning, after.Answering,
				after.Due, after.DeadlineAt,
			} {
				require.Empty(t, kept)
			}
		})
	}
}
