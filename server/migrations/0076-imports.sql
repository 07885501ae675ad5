-- Tables that were loaded. The rows of the audit log that one wrote have its number, by which it is undone.
create table imports (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  user_id bigint not null references users,
  kind text not null check (kind in ('customers', 'users', 'buses', 'units', 'cameras')),
  file text not null,
  created integer not null,
  changed integer not null,
  undone_at timestamptz
);
create index imports_at on imports (at);

alter table audit_log add column import_id bigint;
create index audit_log_import on audit_log (import_id, id) where import_id is not null;
