-- A text that looks like a number with a long exponent, as an id may, stays as it is: texts are matched first, whole.
create or replace function SCHEMA.document(value bytea) returns jsonb language plpgsql immutable parallel safe as $$
declare
  written text;
begin
  written := convert_from(value, 'UTF8');
  return written::jsonb;
exception when others then
  begin
    written := regexp_replace(written, '(?<!\\)((?:\\\\)*)\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\1\\ufffd', 'g');
    return regexp_replace(written, '("(?:[^"\\]|\\.)*")|([0-9])[eE][+-]?[0-9]{4,}', '\1\2', 'g')::jsonb;
  exception when others then
    return null;
  end;
end $$;
