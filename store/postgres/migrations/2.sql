-- settle tells how the round of a lane ended: the members that did not stand, or null if it was not committed. After
-- that it never will be. It always writes: so its own commit waits for a synchronous standby, which then has that round
-- too, also where the wait of the round was cancelled.
create or replace function SCHEMA.settle(lane uuid, round bigint) returns int[] language plpgsql as $$
declare
  at SCHEMA.lanes;
begin
  perform SCHEMA.turn();
  update SCHEMA.lanes l set seen = clock_timestamp() where l.id = lane returning * into at;
  if at.number >= round then
    return at.failed;
  end if;
  update SCHEMA.lanes l set number = round, failed = null where l.id = lane;
  return null;
end $$;

-- The rest is what the views need (views.sql).

-- record_id reads the id in the key of a record: after the table's prefix, a text, which may begin with a UUID that is
-- written in 16 bytes.
create function SCHEMA.record_id(key bytea) returns text language sql immutable parallel safe as $$
  select case when substring(id for 2) = '\x0002'
    then encode(substring(id from 3 for 16), 'hex')::uuid::text || encode(substring(id from 19), 'escape')
    when position('\x00' in id) > 0 then encode(id, 'escape')
    else convert_from(id, 'UTF8') end
  from (select substring(rest for greatest(length(rest) - 2, 0)) as id
    from (select substring(key from position('\x0001'::bytea in key) + 2) as rest) as r) as i
$$;

-- document reads a record. JSON of a merchant may name characters and numbers that PostgreSQL does not have: such
-- characters are replaced, and such numbers lose their exponents. It returns null where there is no document.
create function SCHEMA.document(value bytea) returns jsonb language plpgsql immutable parallel safe as $$
declare
  written text;
begin
  written := convert_from(value, 'UTF8');
  return written::jsonb;
exception when others then
  begin
    written := regexp_replace(written, '(?<!\\)((?:\\\\)*)\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\1\\ufffd', 'g');
    return regexp_replace(written, '([0-9])[eE][+-]?[0-9]{4,}', '\1', 'g')::jsonb;
  exception when others then
    return null;
  end;
end $$;

-- moment reads microseconds since 1970. The zero time is null.
create function SCHEMA.moment(micros text) returns timestamptz language sql stable parallel safe as $$
  select timestamptz 'epoch' + interval '1 second' * (m / 1000000) + interval '1 microsecond' * (m % 1000000)
  from (select nullif(micros::bigint, -62135596800000000) as m) as x
$$;
