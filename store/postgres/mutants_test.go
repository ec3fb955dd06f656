package postgres_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mutants are defects of the store, each with the test that has to find it.
var mutants = []struct{ name, file, old, new, run string }{
	{"one read is not compared", "payload.go", "p.reads = append(p.reads, row{by, pair})",
		"if len(p.reads) > 0 || len(t.pairs) > 1 {\n\t\t\tp.reads = append(p.reads, row{by, pair})\n\t\t}", "TestSkews"},
	{"absent keys are not compared", "payload.go", "p.reads = append(p.reads, row{by, pair})",
		"if pair.HasValue() {\n\t\t\tp.reads = append(p.reads, row{by, pair})\n\t\t}", "TestSkews"},
	{"one read of a whole group is not compared", "whole.go", "w.reads = append(w.reads, pair)",
		"w.reads = append(w.reads[:0], pair)", "TestSkews"},
	{"absent keys of a whole group are not compared", "whole.go", "if w.known[key] == pair || ", "if w.known[key] == pair || !pair.HasValue() || ",
		"TestSkews"},
	{"a change of a whole group is not compared", "migrations/3.sql", "where x.key = u.k and x.value = u.o;",
		"where x.key = u.k;", "TestUpdatesAreCompared"},
	{"a removal under a change is not noticed", "migrations/3.sql", "if changed <> cardinality(uk) then", "if false then",
		"TestUpdatesAreCompared"},
	{"an insertion of a whole group overwrites", "migrations/3.sql", "from unnest(nk, nv) as n (k, v);",
		"from unnest(nk, nv) as n (k, v) on conflict (key) do update set value = excluded.value;", "TestUpdatesAreCompared"},
	{"an insertion of a whole group is dropped", "migrations/3.sql", "from unnest(nk, nv) as n (k, v);",
		"from unnest(nk, nv) as n (k, v) on conflict do nothing;", "TestUpdatesAreCompared"},
	{"ranges of a whole group are not compared", "migrations/3.sql", "if cardinality(sl) > 0 and", "if false and", "TestPhantoms"},
	{"a late commit of a whole group is not stopped", "migrations/3.sql", "where l.id = lane and l.number = round - 1;",
		"where l.id = lane;", "TestLateCommit"},
	{"who does not stand is not asked", "groups.go", "return payloadOf(members).send(ctx, conn, schema, lane, number)",
		"return make(verdict, len(members)), nil", "TestUpdatesAreCompared"},
	{"ranges are not compared", "migrations/1.sql", "if cardinality(sm) > 0 then", "if false then", "TestPhantoms"},
	{"keys of ranges are only counted", "tx.go", "for _, pair := range p.seen {", "for _, pair := range p.seen[:0] {", "TestSkews"},
	{"a group reads what it writes", "group.go", "if m := g.written[key]; m != nil && ", "if m := g.written[key]; false && ", "TestSkews"},
	{"nothing excludes another instance", "migrations/1.sql", "perform pg_advisory_xact_lock(1953460327, hashtext('SCHEMA'));",
		"perform 1;", "TestSkews"},
	{"the memory is believed", "reader.go", "r.torn = r.torn || r.pairs[pair.Key()] != pair", "_ = pair", "TestMemoryIsCompared"},
	{"the memory is believed by who writes nothing", "reader.go", "if len(r.assumed) > 0 && !r.torn {", "if false {",
		"TestMemoryIsCompared"},
	{"a lost answer is a failure", "lane.go", "return bad, bad != nil, nil", "return bad, false, nil", "TestCuts"},
	{"a lost answer is a success", "lane.go", "return bad, bad != nil, nil", "return verdict{}, true, nil", "TestCuts"},
	{"a late commit is not stopped", "migrations/1.sql", "where l.id = lane and l.number = round - 1;", "where l.id = lane;",
		"TestLateCommit"},
	{"a standby is not waited for", "replicated.go", "if data[unreplicated] == nil {", "if true {", "TestStandbySilent"},
	{"serialization failures are final", "fault.go", `strings.HasPrefix(said.Code, "40"), `, "", "TestAnswers"},
	{"no error is final", "fault.go", "\treturn refused\n}", "\treturn passing\n}", "TestAnswers"},
	{"connections stay after Close", "store.go", "\t\t\ts.reading.Close()\n\t\t\ts.writing.Close()\n\t\t})", "\t\t\ts.writing.Close()\n\t\t})",
		"TestConnections"},
	{"views cut texts like numbers", "migrations/4.sql", `("(?:[^"\\]|\\.)*")|`, "()", "TestDocumentsOfTheViews"},
	{"the clock is the machine's", "clock.go", "return s.clock.Now()", "return s.cfg.machine()", "TestDeadlinesOfGatewaysApart"},
	{"a part of a scan counts as all of it", "tx.go", "high = append([]byte(p.seen[n-1].Key()), 0)", "_ = n",
		"TestPhantomsInParts"},
	{"a part of a reverse scan counts as all of it", "tx.go", "low = []byte(p.seen[n-1].Key())", "_ = n",
		"TestPhantomsInParts"},
	{"a part of a scan ends before its last key", "tx.go", "high = append([]byte(p.seen[n-1].Key()), 0)",
		"high = []byte(p.seen[n-1].Key())", "TestPhantomsInParts"},
	{"a part of a reverse scan begins where it ends", "tx.go", "low = []byte(p.seen[n-1].Key())",
		"low = []byte(p.seen[0].Key())", "TestPhantomsInParts"},
	{"a part of a scan is not remembered", "tx.go", "case n == 0:", "case n >= 0:", "TestPhantomsInParts"},
	{"a leader who leaves its commit is told it failed", "groups.go", "return false, unknown(ctx.Err())", "return false, ctx.Err()",
		"TestSilentServer"},
	{"a member who leaves its commit is told it failed", "groups.go", "return false, unknown(m.ctx.Err())",
		"return false, m.ctx.Err()", "TestMemberLeaves"},
	{"a silent holder keeps the turn", "alone.go", "set local idle_in_transaction_session_timeout = \"+\n\t\tsilence+\"; ", "\"+\"",
		"TestSilentHolder"},
	{"the clock is not followed", "clock.go", "_ = c.Measure(within) // next time then", "_ = within", "TestClockIsFollowed"},
	{"no turn of one's own", "store.go", "lost < optimistic; attempt++", "lost < 1<<30; attempt++", "TestLosersAreAlone"},
	{"every turn is one's own", "store.go", "lost < optimistic; attempt++", "lost < 0; attempt++", "TestLosersAreAlone"},
	{"arguments of an earlier call stay", "array.go", "a.text[:0], a.ends[:0]", "a.text[:0], a.ends", "TestOneKeyTwice"},
	{"one key twice in a group", "group.go", "return !slices.ContainsFunc(t.own,", "return true || !slices.ContainsFunc(t.own,", "TestOneKeyTwice"},
	{"fsync may be off", "connect.go", `k.fsync != "on"`, "false", "TestRefusals"},
	{"full_page_writes may be off", "connect.go", `k.fullPages != "on"`, "false", "TestRefusals"},
	{"a server that keeps less is used on", "clock.go", "err == nil && k.refusal() != nil ||", "", "TestSessionsOfWhatKeepsLess"},
	{"writers stay with a server that refuses readers", "clock.go", "errors.As(err, &less)", "errors.As(nil, &less)",
		"TestSessionsOfWhatKeepsLess"},
	{"readers stay with a server that keeps less", "store.go", "	s.reading.Reset()\n	s.writing.Reset()", "	s.writing.Reset()",
		"TestSessionsOfWhatKeepsLess"},
	{"synchronous_commit may be off", "connect.go", `s.flush == "off"`, "false", "TestRefusals"},
	{"any encoding", "connect.go", `s.encoding != "UTF8"`, "false", "TestRefusals"},
	{"any isolation", "connect.go", `s.isolation != "read committed"`, "false", "TestRefusals"},
	{"any product", "connect.go", `!strings.HasPrefix(s.version, "PostgreSQL ")`,
		`strings.HasPrefix(s.version, "no product ")`, "TestRefusals"},
	{"any release", "connect.go", "s.number < minServer", "false", "TestRefusals"},
	{"a standby is used", "config.go", "conn.ValidateConnect = takesWrites", "", "TestStandbyIsRefused"},
	{"a schema of the future is used", "schema.go", "case at > Version:", "case false:", "TestRefusals"},
	{"a lock that two hold", "lane.go", "case free:", "case false:", "TestRefusals"},
	{"a reserved word as a name", "schema.go", "if word ||", "if false ||", "TestRefusals"},
	{"a setting of the session changes later", "connect.go", "set_config('synchronous_commit', current_setting('synchronous_commit'), false)",
		"current_setting('synchronous_commit')", "TestReload"},
	{"answers may be texts", "config.go", "pgx.QueryExecModeDescribeExec:",
		"pgx.QueryExecModeDescribeExec, pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol:", "TestModes"},
	{"bytea may be registered as text", "connect.go", "conn.TypeMap().FormatCodeForOID(pgtype.ByteaOID) != pgx.BinaryFormatCode",
		"pgtype.ByteaOID == 0", "TestTextualBytes"},
	{"a text in an answer is a record", "question.go", "if slices.ContainsFunc(rows.FieldDescriptions(), isText) {",
		"if slices.ContainsFunc(rows.FieldDescriptions()[:0], isText) {",
		"TestTextualBytesLater"},
	{"a snapshot waits for ever", "snapshot.go", "ctx, cancel := s.hub.patient.cancelable()",
		"ctx, cancel := context.WithCancel(context.Background())", "TestReadsAfterSilence"},
	{"a check waits for ever", "check.go", "ctx, cancel := c.hub.patient.cancelable()",
		"ctx, cancel := context.WithCancel(context.Background())", "TestPatience"},
	{"a read in a turn waits for ever", "alone.go", "ctx, cancel := i.store.patient.within(q.ctx)",
		"ctx, cancel := context.WithCancel(q.ctx)", "TestPatience"},
	{"the turn is waited for for ever", "alone.go", "ctx, cancel := a.store.patient.within(a.ctx)",
		"ctx, cancel := context.WithCancel(a.ctx)", "TestPatience"},
	{"an answer to a commit is waited for for ever", "lane.go", "within, cancelSend := l.patient.within(after)",
		"within, cancelSend := context.WithCancel(after)", "TestPatience"},
	{"a connection to read is waited for for ever", "snapshot.go", "ctx, cancel := h.patient.within(ctx)",
		"ctx, cancel := context.WithCancel(ctx)", "TestPoolExhausted"},
	{"reads go on when all who asked have gone", "snapshot.go", "left--; left == 0", "left--; false", "TestSlowQuery"},
	{"a caller leaves the line, and its transaction stays", "groups.go", "slices.Delete(g.next.members, i, i+1)", "g.next.members",
		"TestLeavesTheLine"},
	{"a group ends when one of its callers has gone", "snapshot.go", "left--; left == 0", "left--; true", "TestOneOfAGroupLeaves"},
	{"a group goes on when all of its callers have gone", "snapshot.go", "left--; left == 0", "left--; false",
		"TestAllOfAGroupLeave"},
	{"an unknown outcome of a group is a context that has ended", "groups.go", "case m.ctx.Err() != nil && !isUnknown(err):",
		"case m.ctx.Err() != nil:", "TestUnknownToWhoHasGone"},
	{"an unknown outcome in a turn of one's own is a context that has ended", "alone.go", "ctx.Err() != nil && !isUnknown(err)",
		"ctx.Err() != nil", "TestUnknownToWhoHasGone"},
	{"a caller that leaves its turn is told it failed", "alone.go", "ctx.Err() != nil && !isUnknown(err)",
		"ctx.Err() != nil", "TestCallerLeavesItsCommit"},
	{"nobody finds out what became of a commit in a turn", "alone.go", "s.alone.lane.commitFor(ctx, after, 1, a.send)",
		"s.alone.lane.commitFor(ctx, context.WithoutCancel(after), 1, a.send)", "TestCallerLeavesItsCommit"},
	{"to be alone is waited for for ever", "alone.go", "within, cancel := p.within(ctx)", "within, cancel := context.WithCancel(ctx)",
		"TestWaitToBeAlone"},
	{"to be alone is waited for without a context", "alone.go", "within, cancel := p.within(ctx)",
		"within, cancel := p.within(context.Background())", "TestWaitToBeAlone"},
	{"a group of any number", "group.go", "len(g.members) >= maxMembers || ", "", "TestGroupsAreBounded"},
	{"a group of any size", "group.go", " || g.bytes >= maxBytes", "",
		"TestGroupsAreBounded"},
	{"who waits behind one that stands is not told", "groups.go", "lost = append(lost, m)", "_ = m", "TestBehind"},
	{"who waits behind one that leaves is forgotten", "groups.go", "slices.Delete(g.next.members, i, i+1), g.waiting)",
		"slices.Delete(g.next.members, i, i+1))", "TestBehind"},
	{"nobody waits behind a group that was sent", "groups.go", "range g.sent {", "range g.sent[:0] {", "TestBehind"},
	{"who has read what a group writes waits behind it", "group.go", "return g.sent && ", "return false && ", "TestBehind"},
	{"a caller leaves the end of the line, and its transaction stays", "groups.go", "g.waiting = slices.Delete(g.waiting, i, i+1)", "",
		"TestLeavesTheLine"},
	{"a transaction does not compare what was presumed", "presumed.go", "for key, pair := range pairs {\n\t\tr.remember(pair)",
		"for key, pair := range pairs {\n\t\tcontinue\n\t\tr.remember(pair)", "TestPresumedIsCompared"},
	{"a request that writes nothing is believed", "presumed.go", "torn || len(pairs) == 0", "true", "TestPresumedIsCompared"},
	{"what was presumed is believed before an effect", "presumed.go", "p.close()\n\treturn p.confirm(ctx)", "return nil",
		"TestPresumedIsCompared"},
	{"a panic over what is not there reaches the caller", "presumed.go", "_ = recover()", "", "TestPresumedIsCompared"},
	{"a request of an unknown outcome runs again", "store.go", "if stands || isUnknown(err) {", "if stands {",
		"TestPresumedBesideAnEnd"},
	{"Views after a commit presume", "presumed.go", "p.close()\n\tp.mu.Lock()", "p.mu.Lock()", "TestNothingIsPresumedLater"},
	{"Views after a request presume", "presumed.go", "p.close()\n\t\tif held", "if held", "TestNothingIsPresumedLater"},
	{"two values of one key are presumed", "presumed.go", "known && before != pair", "known && before != pair && false", "TestPresumedOnce"},
	{"what a transaction has compared is compared again", "presumed.go", "p.pairs, p.stored = nil, ", "p.stored = ",
		"TestPresumedIsUsed"},
	{"pauses of one length", "fault.go", "longest/2 + rand.N(longest/2)", "longest - 1 + rand.N(time.Duration(1))", "TestPauses"},
	{"pauses without a bound", "fault.go", "10*time.Millisecond<<min(attempt, 6), longestPause",
		"10*time.Millisecond<<min(attempt, 16), time.Hour", "TestPauses"},
	{"pauses that do not grow", "fault.go", "10*time.Millisecond<<min(attempt, 6)", "10*time.Millisecond", "TestPauses"},
	{"no pause", "fault.go", "timer := time.NewTimer(pauseBefore(attempt))", "timer := time.NewTimer(0 * pauseBefore(attempt))",
		"TestAnswers"},
	{"a measurement that takes for ever", "clock.go", "context.WithTimeout(ctx, every/2)", "context.WithCancel(ctx)",
		"TestClockAfterSilence"},
	{"a first measurement that takes for ever", "clock.go", "context.WithTimeout(ctx, cfg.Patience)", "context.WithCancel(ctx)",
		"TestOpenWithoutTheTime"},
	{"only the connections of Open are inspected", "connect.go",
		"settings.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {",
		"seen := false\n\tsettings.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {\n" +
			"\t\tif seen {\n\t\t\treturn nil\n\t\t}\n\t\tseen = true", "TestReload"},
	{"texts in an answer may pass", "fault.go", "case errors.Is(err, errTexts):", "case errors.Is(err, errTexts) && false:",
		"TestTextualBytesLater"},
	{"all servers have five seconds", "config.go", "if len(servers) == 1 {", "if len(servers) >= 1 {", "TestTimeToConnect"},
	{"a server is counted for each try", "config.go", "servers[other.Host+strconv.Itoa(int(other.Port))] = true",
		"servers[other.Host+strconv.Itoa(len(servers))] = true", "TestTimeToConnect"},
	{"the pool says how long a server has", "config.go", "if pool.ConnConfig.ConnectTimeout == 0 {", "if false {",
		"TestTimeToConnect"},
	{"the URL does not say how long a server has", "config.go", "if pool.ConnConfig.ConnectTimeout == 0 {", "if true {",
		"TestTimeToConnect"},
	{"a lane that has gone is not opened again", "lane.go", "l.id = uuid.Nil // its row is gone", "", "TestLanes"},
	{"a store takes all lanes away", "lane.go", ".lanes where id = any($1) or", ".lanes where id is not null or id = any($1) or",
		"TestLanes"},
	{"a store leaves its lanes", "lane.go", "id = any($1) or seen", "id = any($1) and seen", "TestLanes"},
	{"a view shows a token by another name", "migrations/views.sql", "nullif(r.d ->> 'descriptor', '') as descriptor,",
		"nullif(r.d ->> 'descriptor', '') as descriptor, r.d ->> 'card_token' as note,", "TestSecretsInNoView"},
	{"a view shows a sealed card by another name", "migrations/views.sql", "nullif(r.d ->> 'success_url', '') as success_url,",
		"nullif(r.d ->> 'success_url', '') as success_url, r.d ->> 'held_card' as note,", "TestSecretsInNoView"},
	{"a view shows what is sealed of a transaction", "migrations/views.sql", "e.n::int as number,\n  SCHEMA.record_id(x.key) as payment_id,",
		"e.n::int as number, e.d -> 'sc' as note,\n  SCHEMA.record_id(x.key) as payment_id,", "TestSecretsInNoView"},
	{"a view shows bodies as bytes", "migrations/views.sql", "regexp_replace(SCHEMA.record_id(x.key), ",
		"convert_to(r.d ->> 'b', 'UTF8') as note, regexp_replace(SCHEMA.record_id(x.key), ", "TestSecretsInNoView"},
	{"a view shows the keys of other tables", "migrations/views.sql", "x.key < '\\x730002'", "x.key < '\\x74'",
		"TestSecretsInNoView"},
	{"no limit of a statement", "config.go", `"statement_timeout":             milliseconds(c.Statement),`, "", "TestStatementTimeout"},
	{"Open is refused by a busy turn", "lane.go", "case fateOf(err) == lost || !pause(ctx, attempt):", "default:",
		"TestOpenWaitsForTheTurn"},
	{"no limit of a lock", "config.go", `"lock_timeout":                  milliseconds(c.Statement / 2),`, "", "TestLockTimeout"},
	{"the isolation of others", "config.go", `"default_transaction_isolation": "read committed",`, "", "TestAdjust"},
	{"plans of a small table", "config.go", `"enable_seqscan":   "off",`, "", "TestPlans"},
	{"a migration ends like a statement", "schema.go", "set local statement_timeout = 0; ", "", "TestMigrationTakesItsTime"},
	{"a migration ends like a lock", "schema.go", "set local statement_timeout = 0; set local lock_timeout = 0",
		"set local statement_timeout = 0", "TestMigrationWaits"},
	{"instances migrate at once", "schema.go", `"select pg_advisory_xact_lock(1953460328, hashtext($1))"`, `"select hashtext($1)"`,
		"TestMigrateAtOnce"},
	{"a lane is opened for ever", "lane.go", "ctx, cancel := l.patient.within(ctx)", "ctx, cancel := context.WithCancel(ctx)", "TestPatience"},
	{"what became of a commit is asked for ever", "lane.go", "context.WithDeadline(context.Background(), until.Add(l.patience))",
		"context.WithCancel(context.Background())", "TestPatience"},
	{"a turn is waited for without a context", "alone.go", "ctx, cancel := a.store.patient.within(a.ctx)",
		"ctx, cancel := a.store.patient.within(context.Background())", "TestCallerLeavesTheTurn"},
}

// TestMutants plants each defect and requires its test to fail. Without TOLLGATE_MUTANTS=1 it looks only whether the
// text that a defect replaces is there.
func TestMutants(t *testing.T) {
	t.Parallel()
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			file, err := filepath.Abs(m.file)
			require.NoError(t, err)
			source, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, 1, strings.Count(string(source), m.old), "%s no longer says %q once", m.file, m.old)
			if os.Getenv("TOLLGATE_MUTANTS") == "" {
				return
			}
			folder := t.TempDir()
			planted, overlay := filepath.Join(folder, filepath.Base(file)), filepath.Join(folder, "overlay.json")
			require.NoError(t, os.WriteFile(planted, []byte(strings.Replace(string(source), m.old, m.new, 1)), 0o600))
			text, err := json.Marshal(map[string]any{"Replace": map[string]string{file: planted}})
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(overlay, text, 0o600))
			test := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-vet=off", "-timeout=3m", "-overlay", overlay,
				"-run", "^"+m.run+"$", ".")
			test.Env = append(os.Environ(), "GOWORK=off", "TOLLGATE_MUTANTS=")
			out, err := test.CombinedOutput()
			require.Error(t, err, "not found by %s", m.run)
			require.Contains(t, string(out), "--- FAIL: "+m.run, "%s", complaint(out))
			t.Logf("mutants: %q found by %s", m.name, m.run)
		})
	}
}
