-- Each process looks every few seconds which kinds of commands wait for the units whose terminals are signed in there.
create index unit_commands_open_kind on unit_commands (unit_id, kind, created_at) where finished_at is null;

-- By which login the registrar last ended its file at ended_at_bytes, and whether it has ended it there by the logins of two
-- commands.
alter table ftp_logins
  add column ended_by text,
  add column ended_twice boolean not null default false;
