package postgres_test

import (
	"strings"
	"testing"
)

// swallow has each row of records dropped before it is written.
const swallow = `create function SCHEMA.swallow() returns trigger language plpgsql as 'begin return null; end';
	create trigger "Swallow" before insert or update on SCHEMA.records for each row execute function SCHEMA.swallow()`

// TestFlaws: each way to change the schema so that records are lost, hidden or doubled is refused, on each table where
// it matters, and what the text says is the cure.
func TestFlaws(t *testing.T) {
	t.Parallel()
	const gone, lacks = "is gone, or is no plain table", "lacks its column "
	for _, c := range []struct{ name, spoil, cause, cure string }{
		{"unlogged", "alter table SCHEMA.lanes set unlogged", "table lanes is unlogged",
			"alter table SCHEMA.lanes set logged"},
		{"unlogged versions", "alter table SCHEMA.versions set unlogged", "table versions is unlogged",
			"alter table SCHEMA.versions set logged"},
		{"no key of records", "alter table SCHEMA.records drop constraint records_pkey", "records has no unique index of key",
			"alter table SCHEMA.records add primary key (key)"},
		{"no key of lanes", "alter table SCHEMA.lanes drop constraint lanes_pkey", "lanes has no unique index of id",
			"alter table SCHEMA.lanes add primary key (id)"},
		{"no key of versions", "alter table SCHEMA.versions drop constraint versions_pkey",
			"versions has no unique index of version", "alter table SCHEMA.versions add primary key (version)"},
		{"a key with more", `alter table SCHEMA.records drop constraint records_pkey;
			alter table SCHEMA.records add primary key (key, value)`, "records has no unique index of key",
			"alter table SCHEMA.records drop constraint records_pkey; alter table SCHEMA.records add primary key (key)"},
		{"a key of some", `alter table SCHEMA.records drop constraint records_pkey;
			create unique index on SCHEMA.records (key) where length(value) > 0`, "records has no unique index of key",
			"alter table SCHEMA.records add primary key (key)"},
		{"a key that does not hold", `alter table SCHEMA.records drop constraint records_pkey;
			alter table SCHEMA.records add primary key (key) deferrable initially deferred`,
			"records has no unique index of key",
			"alter table SCHEMA.records drop constraint records_pkey; alter table SCHEMA.records add primary key (key)"},
		{"an index that is not unique", `alter table SCHEMA.records drop constraint records_pkey;
			create index on SCHEMA.records (key)`, "records has no unique index of key",
			"alter table SCHEMA.records add primary key (key)"},
		{"a trigger", swallow, "table records has a trigger", `drop trigger "Swallow" on SCHEMA.records`},
		{"a trigger that is always on", swallow + `; alter table SCHEMA.records enable always trigger "Swallow"`,
			"table records has a trigger", `drop trigger "Swallow" on SCHEMA.records`},
		{"a trigger of lanes", strings.ReplaceAll(swallow, "SCHEMA.records", "SCHEMA.lanes"), "table lanes has a trigger",
			`drop trigger "Swallow" on SCHEMA.lanes`},
		{"a rule", `create rule "Keep" as on delete to SCHEMA.records do instead nothing`, "table records has a rule",
			`drop rule "Keep" on SCHEMA.records`},
		{"an heir", "create table SCHEMA.old () inherits (SCHEMA.records)", "table records has the heir SCHEMA.old,",
			"alter table SCHEMA.old no inherit SCHEMA.records"},
		{"no lanes", "alter table SCHEMA.lanes rename to elsewhere", "table lanes " + gone,
			"alter table SCHEMA.elsewhere rename to lanes"},
		{"a view of records", `alter table SCHEMA.records rename to all_records;
			create view SCHEMA.records as select * from SCHEMA.all_records`, "table records " + gone,
			"drop view SCHEMA.records; alter table SCHEMA.all_records rename to records"},
		{"a column of another name", "alter table SCHEMA.records rename value to content",
			"table records " + lacks + "value bytea", "alter table SCHEMA.records rename content to value"},
		{"a column of another type", "alter table SCHEMA.lanes alter number type int",
			"table lanes " + lacks + "number bigint", "alter table SCHEMA.lanes alter number type bigint"},
		{"a column that is dropped", "alter table SCHEMA.lanes drop seen",
			"table lanes " + lacks + "seen timestamp with time zone",
			"alter table SCHEMA.lanes add seen timestamptz not null default clock_timestamp()"},
		{"no turn", "alter function SCHEMA.turn rename to turns", "function turn is gone",
			"alter function SCHEMA.turns rename to turn"},
		{"no apply_all", "alter function SCHEMA.apply_all rename to apply_some", "function apply_all is gone",
			"alter function SCHEMA.apply_some rename to apply_all"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cfg := spoiled(t, c.spoil)
			in := func(text string) string { return strings.ReplaceAll(text, "SCHEMA", cfg.Schema) }
			steps := strings.Split(in(c.cure), "; ")
			says := []string{in(c.cause)}
			if last := steps[len(steps)-1]; !strings.Contains(c.cause, "gone") && !strings.Contains(c.cause, lacks) {
				says = append(says, last)
			}
			requireRefused(t, cfg, says...)
			execute(t, shared.URL(), strings.Join(steps, ";"))
			cfg.Connections = 6
			finds(t, cfg)
		})
	}
}

// What others add to the schema, and what does not change a row before it is written, is theirs.
func TestNoFlaws(t *testing.T) {
	t.Parallel()
	for name, add := range map[string]string{
		"a column":                    "alter table SCHEMA.records add noted timestamptz default clock_timestamp()",
		"an index":                    "create index on SCHEMA.records (length(value))",
		"another key":                 "alter table SCHEMA.records drop constraint records_pkey; create unique index on SCHEMA.records (key)",
		"a publication":               "create publication SCHEMA for table SCHEMA.records",
		"a trigger afterwards":        strings.NewReplacer("before insert", "after insert", "null", "new").Replace(swallow),
		"a trigger of a replica":      swallow + `; alter table SCHEMA.records enable replica trigger "Swallow"`,
		"a trigger that is off":       swallow + `; alter table SCHEMA.records disable trigger "Swallow"`,
		"a function of the same name": "create function SCHEMA.turn(int) returns int language sql as 'select 1'",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := spoiled(t, add)
			cfg.Connections = 6
			finds(t, cfg)
		})
	}
}
