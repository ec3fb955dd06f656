-- Every record is one row. Keys are compared byte by byte. Records change soon after they were made, so pages keep
-- room for the new version of a row: then no index is written.
create table SCHEMA.records (
  key   bytea primary key check (octet_length(key) between 1 and 1024),
  value bytea not null
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);

-- A lane commits one group of transactions after the other. Its row has the number of the last group that was committed
-- and which of its members did not stand. A store that lost the answer finds it here.
create table SCHEMA.lanes (
  id     uuid primary key,
  number bigint not null,
  failed int[] default '{}', -- null: the group of this number was not committed, and never will be
  seen   timestamptz not null default clock_timestamp()
) with (fillfactor = 20, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

-- turn is held until the transaction ends: those who write go one after the other. A statement that follows sees all
-- that was committed before, which holds at READ COMMITTED only.
create function SCHEMA.turn() returns void language plpgsql as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'the isolation is %, and has to be read committed', current_setting('transaction_isolation')
      using errcode = 'TG001';
  end if;
  perform pg_advisory_xact_lock(1953460327, hashtext('SCHEMA'));
end $$;

-- apply commits a group. Each member has values that it read (null: there was none), ranges with the number of keys it
-- found there, values to store under keys that it read without a value (n), with one (u) or maybe not at all (w), and
-- keys to remove. A member whose reads do not hold any more does nothing and is returned. No member reads or writes what an
-- earlier one writes.
create function SCHEMA.apply(
  lane uuid, round bigint, members int,
  rm int[], rk bytea[], rv bytea[],
  sm int[], sl bytea[], sh bytea[], sn int[],
  nm int[], nk bytea[], nv bytea[],
  um int[], uk bytea[], uv bytea[],
  wm int[], wk bytea[], wv bytea[],
  dm int[], dk bytea[]
) returns int[] language plpgsql as $$
declare
  bad int[];
begin
  perform SCHEMA.turn();
  select array_agg(r.m) into bad from unnest(rm, rk, rv) as r (m, k, v)
    where (select x.value from SCHEMA.records x where x.key = r.k) is distinct from r.v;
  if cardinality(sm) > 0 then
    select bad || array_agg(s.m) into bad from unnest(sm, sl, sh, sn) as s (m, low, high, n)
      where s.n <> (select count(*) from
        (select 1 from SCHEMA.records x where x.key >= s.low and x.key < s.high limit s.n + 1) as found);
  end if;
  if bad is null then
    bad := '{}';
  else
    bad := array(select distinct unnest(bad));
  end if;
  if cardinality(bad) = members then
    return bad;
  end if;
  if cardinality(dm) > 0 then
    delete from SCHEMA.records x using unnest(dm, dk) as d (m, k) where x.key = d.k and d.m <> all (bad);
  end if;
  if cardinality(um) > 0 then
    update SCHEMA.records x set value = u.v from unnest(um, uk, uv) as u (m, k, v)
      where x.key = u.k and u.m <> all (bad);
  end if;
  if cardinality(nm) > 0 then
    insert into SCHEMA.records select n.k, n.v from unnest(nm, nk, nv) as n (m, k, v) where n.m <> all (bad);
  end if;
  if cardinality(wm) > 0 then
    insert into SCHEMA.records as x select w.k, w.v from unnest(wm, wk, wv) as w (m, k, v) where w.m <> all (bad)
      on conflict (key) do update set value = excluded.value;
  end if;
  update SCHEMA.lanes l set number = round, failed = bad, seen = clock_timestamp()
    where l.id = lane and l.number = round - 1;
  if not found then
    raise exception 'lane % is not at %', lane, round - 1 using errcode = 'TG002';
  end if;
  return bad;
end $$;

-- settle tells how the round of a lane ended: the members that did not stand, or null if it was not committed. After
-- that it never will be.
create function SCHEMA.settle(lane uuid, round bigint) returns int[] language plpgsql as $$
declare
  at SCHEMA.lanes;
begin
  perform SCHEMA.turn();
  select * into at from SCHEMA.lanes l where l.id = lane;
  if at.number >= round then
    return at.failed;
  end if;
  update SCHEMA.lanes l set number = round, failed = null, seen = clock_timestamp() where l.id = lane;
  return null;
end $$;
