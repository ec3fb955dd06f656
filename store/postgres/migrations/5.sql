-- The functions that the views call look nothing up where a role that reads them may have another of the same name:
-- the bodies of these are read once, here.
create or replace function SCHEMA.record_id(key bytea) returns text language sql immutable parallel safe return (
  select case when substring(id for 2) = '\x0002'::bytea
    then encode(substring(id from 3 for 16), 'hex')::uuid::text || encode(substring(id from 19), 'escape')
    when position('\x00'::bytea in id) > 0 then encode(id, 'escape')
    else convert_from(id, 'UTF8') end
  from (select substring(rest for greatest(length(rest) - 2, 0)) as id
    from (select substring(key from position('\x0001'::bytea in key) + 2) as rest) as r) as i
);

create or replace function SCHEMA.moment(micros text) returns timestamptz language sql stable parallel safe return (
  select timestamptz 'epoch' + interval '1 second' * (m / 1000000) + interval '1 microsecond' * (m % 1000000)
  from (select nullif(micros::bigint, -62135596800000000) as m) as x
);

-- This one is read when it is called.
alter function SCHEMA.document(bytea) set search_path = pg_catalog, pg_temp;
