-- The program refuses a key that is empty or too long. A check here would be read anew by each statement that writes.
alter table SCHEMA.records drop constraint records_key_check;

-- apply_all commits a group if all of its members stand. Otherwise it does nothing and returns false, and apply tells
-- who does not stand. What was read and is not written (null: there was no value) is compared once for all who read
-- it. What is written is compared by being written: under keys that had no value (n), and under those that had one,
-- which is sent too (u). Keys that were not read are written as they are (w), or removed (d).
create function SCHEMA.apply_all(
  lane uuid, round bigint,
  rk bytea[], rv bytea[],
  sl bytea[], sh bytea[], sn int[],
  nk bytea[], nv bytea[],
  uk bytea[], uo bytea[], uv bytea[],
  wk bytea[], wv bytea[],
  dk bytea[]
) returns boolean language plpgsql as $$
declare
  changed int;
begin
  perform SCHEMA.turn();
  if cardinality(rk) > 0 and exists (select from unnest(rk, rv) as r (k, v)
    where (select x.value from SCHEMA.records x where x.key = r.k) is distinct from r.v)
  then
    return false;
  end if;
  if cardinality(sl) > 0 and exists (select from unnest(sl, sh, sn) as s (low, high, n)
    where s.n <> (select count(*) from
      (select 1 from SCHEMA.records x where x.key >= s.low and x.key < s.high limit s.n + 1) as found))
  then
    return false;
  end if;
  begin -- its writes are undone when it ends with an exception
    if cardinality(nk) > 0 then
      insert into SCHEMA.records select n.k, n.v from unnest(nk, nv) as n (k, v);
    end if;
    if cardinality(uk) > 0 then
      update SCHEMA.records x set value = u.v from unnest(uk, uo, uv) as u (k, o, v) where x.key = u.k and x.value = u.o;
      get diagnostics changed = row_count;
      if changed <> cardinality(uk) then
        raise exception 'a value has changed' using errcode = 'TG003';
      end if;
    end if;
  exception when unique_violation or sqlstate 'TG003' then
    return false;
  end;
  if cardinality(wk) > 0 then
    insert into SCHEMA.records as x select w.k, w.v from unnest(wk, wv) as w (k, v)
      on conflict (key) do update set value = excluded.value;
  end if;
  if cardinality(dk) > 0 then
    delete from SCHEMA.records x using unnest(dk) as d (k) where x.key = d.k;
  end if;
  update SCHEMA.lanes l set number = round, failed = '{}', seen = clock_timestamp()
    where l.id = lane and l.number = round - 1;
  if not found then
    raise exception 'lane % is not at %', lane, round - 1 using errcode = 'TG002';
  end if;
  return true;
end $$;
