package main

// run is one command and what its figures mean. Its size is set by environment or by arguments: full and large for
// the documented size, small for that of go test.
type run struct {
	title  string
	about  string
	args   []string
	full   []string // environment of the full size
	large  []string // arguments of the full size
	small  []string // arguments of the small size
	long   bool     // has no small size
	prefix string   // of the lines with figures
	cases  []string // first names of the lines for one case of many each
}

var runs = []run{
	{
		title:  "Simulation",
		about:  "The real kernel on a fake clock, a faulty store, acquirer and merchant, judged by a model of its own.",
		args:   []string{"go", "test", "./internal/sim", "-v", "-count=1", "-timeout=30m", "-run"},
		large:  []string{"TestLong", "-steps=20000000"},
		small:  []string{"TestSeeds"},
		prefix: "sim",
	},
	{
		title: "Simulation of a shared store",
		about: "The same on a store as several instances share it: it has a clock, which all of them take, while those " +
			"of their machines are up to an hour off.",
		args:   []string{"go", "test", "./internal/sim", "-v", "-count=1", "-timeout=30m", "-run=TestSharedStore$"},
		large:  []string{"-seeds=12000"},
		prefix: "sim",
	},
	{
		title:  "Determinism of the simulation",
		about:  "Every seed is run twice and leaves the same trace.",
		args:   []string{"go", "test", "./internal/sim", "-v", "-count=1", "-timeout=60m", "-run=TestDigests"},
		large:  []string{"-digests=2000"},
		prefix: "sim",
	},
	{
		title:  "Planted defects",
		about:  "Defects planted round the kernel and in a copy of its source; how many seeds the simulation took to find each.",
		args:   []string{"go", "test", "./internal/sim", "-v", "-count=1", "-timeout=60m", "-run=TestPlanted|TestMutants"},
		large:  []string{"-mutants"},
		prefix: "sim",
		cases:  []string{"defect", "mutant"},
	},
	{
		title:  "Defects that tests find",
		about:  "Defects of which the simulator is not the judge, planted in a copy of the source; each is found by the test that it names.",
		args:   []string{"go", "test", "./internal/sim", "-v", "-count=1", "-timeout=60m", "-run=TestElsewhere$"},
		large:  []string{"-mutants"},
		long:   true,
		prefix: "sim",
		cases:  []string{"elsewhere"},
	},
	{
		title:  "Races",
		about:  "Contended pairs on two instances over one store.",
		args:   []string{"go", "test", "./internal/race", "-v", "-count=1", "-timeout=60m", "-run=Pairs|Control"},
		full:   []string{"TOLLGATE_TRIALS=1000"},
		prefix: "races",
		cases:  []string{"pair", "control"},
	},
	{
		title: "Schedules",
		about: "Three years of monthly schedules of every day of the month: count, dates and amounts are exact.",
		args: []string{"go", "test", "./internal/recurring", "-v", "-count=1", "-timeout=10m",
			"-run=TestThreeYearsOfSchedules"},
		full:   []string{"TOLLGATE_SCHEDULES=1000"},
		prefix: "schedules",
	},
	{
		title:  "Every single fault",
		about:  "The n-th call of each port fails, for every n, over every scenario.",
		args:   []string{"go", "test", "./internal/faults", "-v", "-count=1", "-timeout=60m", "-run=TestEveryFault"},
		full:   []string{"TOLLGATE_FAULTS=all"},
		prefix: "faults",
	},
	{
		title: "Crashes",
		about: "Real processes, killed at random and at named points; judged by the ledgers outside.",
		args: []string{"go", "test", "./internal/crash", "-v", "-count=1", "-timeout=60m",
			"-run=TestKills|TestKillAtEveryPoint"},
		full:   []string{"TOLLGATE_KILLS=2000"},
		prefix: "crash",
	},
	{
		title:  "Stores against each other",
		about:  "Random operation lists answered by every store alike.",
		args:   []string{"go", "test", "./store/difftest", "-v", "-count=1"},
		prefix: "stores",
	},
	{
		title: "Stores against each other on PostgreSQL",
		about: "The same lists on PostgreSQL, with memory and bolt beside it.",
		args: []string{"go", "test", "-C", "store/postgres", "-v", "-count=1", "-timeout=60m", "-run=TestSameStores$",
			"."},
		full:   []string{"GOWORK=off", "TOLLGATE_LISTS=2000"},
		long:   true,
		prefix: "stores",
	},
	{
		title:  "Bad inputs",
		about:  "One table over all endpoints: status, code and text, and nothing stored.",
		args:   []string{"go", "test", "./internal/badinput", "-v", "-count=1"},
		prefix: "badinput",
	},
	{
		title:  "Calls of the store",
		about:  "What one request asks of the store: its calls, and its reads of the merchant's key, revision and configuration.",
		args:   []string{"go", "test", "./internal/kerneltest", "-v", "-count=1", "-run=TestStoreCalls"},
		prefix: "storecalls",
		cases:  []string{"request"},
	},
	{
		title:  "Gates of speed",
		about:  "What a request allocates, writes and flushes, and what a payment takes, on an idle or a busy machine alike.",
		args:   []string{"go", "test", "./internal/speed", "-v", "-count=1", "-run=TestGates"},
		prefix: "gates",
		cases:  []string{"gate"},
	},
	{
		title: "Ratios of speed",
		about: "The gateway and references in turns, servers and client as processes of their own; a ratio of 2 is twice " +
			"as fast. Two floors are relative to commit 44b1fae7, before the work on speed. There a durable sale in process was " +
			"0.17 (0.14 to 0.20) of raw bbolt, in turns with 4872cb64, which gave 0.63 (0.54 to 0.73). Inside the exclusive " +
			"section a sale took 23.2 us on memory and 12.8 on bolt, an S2S sale 56.1 and 66.4; on 4872cb64 7.6, 1.3, 7.1 " +
			"and 1.2. They depend on the machine: a faster disk makes raw bbolt faster, and what is compared with it slower.",
		args:   []string{"go", "run", "./internal/speed/ratios"},
		small:  []string{"-quick"},
		prefix: "speed",
		cases:  []string{"ratio", "measure", "measured once"},
	},
	{
		title: "Ratios of PostgreSQL",
		about: "Sales on PostgreSQL beside raw inserts and raw commits, all on one machine: five turns of three seconds " +
			"each, fifteen beside the inserts, of which every other one begins with the reference; a ratio is the median " +
			"of the turns' own. The acquirer approves at once and stores nothing; both instances are in one process, " +
			"each with a pool of its own. The server flushes, with shared_buffers of 512 MB, min_wal_size and max_wal_size " +
			"of 4 GB, and all files of its log made before; a row says how much of its memory is in huge pages. It is " +
			"reached by a socket of the file system, or where a row says so over TCP. Where a row has two instances with " +
			"64 callers each, every instance has the load of the rows with 64; with 32 each the load is divided. After " +
			"minutes of load is after all the rows above it. Conflicts are transactions that run again; those of sales " +
			"hold up a payer, those of work none. A status is asked for among copies of one payment. The CPUs sleep when " +
			"they are idle, as the machine has them do; a row says for how much of the time.",
		args: []string{"go", "test", "-C", "store/postgres", "-run=-", "-bench=Ratios", "-benchtime=1x",
			"-timeout=60m", "."},
		full:   []string{"GOWORK=off", "TOLLGATE_RATIOS=3"},
		long:   true,
		prefix: "speed",
		cases:  []string{"ratio", "measure"},
	},
	{
		title: "Ratios of PostgreSQL with CPUs awake",
		about: "The same on a machine of which no CPU sleeps, for the gateway and the references alike: an " +
			"idle one looks for work, which root may ask for. On a virtual machine whose CPUs go back to the host as soon as they " +
			"are idle, a sale waits for one several times.",
		args: []string{"go", "test", "-C", "store/postgres", "-run=-", "-bench=Ratios", "-benchtime=1x",
			"-timeout=60m", "."},
		full:   []string{"GOWORK=off", "TOLLGATE_RATIOS=3", "TOLLGATE_AWAKE=1"},
		long:   true,
		prefix: "speed",
		cases:  []string{"ratio", "measure"},
	},
	{
		title:  "Versions of PostgreSQL",
		about:  "The tests of store/postgres on servers of other versions than the one of the system.",
		args:   []string{".ci/postgres"},
		long:   true,
		prefix: "versions",
		cases:  []string{"version"},
	},
	{
		title: "Write skews on PostgreSQL",
		about: "Transactions of which each reads what another writes, on one instance and on two, by each way to run one.",
		args: []string{"go", "test", "-C", "store/postgres", "-v", "-count=1", "-timeout=120m",
			"-run=TestSkews", "."},
		full:   []string{"GOWORK=off", "TOLLGATE_SKEWS=10000"},
		long:   true,
		prefix: "skews",
		cases:  []string{"pair"},
	},
	{
		title:  "Races on PostgreSQL",
		about:  "The contended pairs on two instances with stores of their own, over one database.",
		args:   []string{"go", "test", "-C", "store/postgres", "-v", "-count=1", "-timeout=120m", "-run=TestRaces$", "."},
		full:   []string{"GOWORK=off", "TOLLGATE_TRIALS=1000"},
		long:   true,
		prefix: "races",
		cases:  []string{"pair"},
	},
	{
		title: "Write skews of payments on PostgreSQL",
		about: "The pairs of those in which one side decides by what the other writes and it does not, with nothing else " +
			"of a trial on the server.",
		args: []string{"go", "test", "-C", "store/postgres", "-v", "-count=1", "-timeout=240m", "-run=TestRaces$", "."},
		full: []string{"GOWORK=off", "TOLLGATE_NEAR=1", "TOLLGATE_TRIALS=10000",
			"TOLLGATE_PAIRS=(sale_x_sale|update_x_payment|payment_x|run_x_PAUSE|card_token|rotation)"},
		long:   true,
		prefix: "races",
		cases:  []string{"pair"},
	},
	{
		title: "Crashes on PostgreSQL",
		about: "Two processes of a gateway on one database, killed at random and at named points, while the server is " +
			"killed and its standby promoted; judged by the ledgers outside.",
		args: []string{"go", "test", "-C", "store/postgres", "-v", "-count=1", "-timeout=120m",
			"-run=TestCrash$", "."},
		full:   []string{"GOWORK=off", "TOLLGATE_PG_CRASHES=1000"},
		long:   true,
		prefix: "crash",
	},
	{
		title: "Every single fault on PostgreSQL",
		about: "The n-th call of the store fails, for every n, in every way, over every scenario.",
		args: []string{"go", "test", "-C", "store/postgres", "-v", "-count=1", "-timeout=120m",
			"-run=TestFaults$", "."},
		full:   []string{"GOWORK=off", "TOLLGATE_FAULTS=all"},
		long:   true,
		prefix: "faults",
	},
	{
		title:  "Canary",
		about:  "All flows in one folder, then every byte searched for card numbers and security codes.",
		args:   []string{"go", "test", "./internal/canary", "-v", "-count=1"},
		prefix: "canary",
	},
	{
		title:  "Fuzzing",
		about:  "Every fuzz target for two seconds; \".ci/fuzz 60\" takes a minute for each.",
		args:   []string{".ci/fuzz"},
		large:  []string{"2"},
		small:  []string{"1"},
		prefix: "fuzz",
	},
}
