-- Each row that administrators change has a version, so that a change of an outdated row is refused.
alter table clients add column row_version integer not null default 0;
alter table users add column row_version integer not null default 0;
alter table workplaces
  add column row_version integer not null default 0,
  -- When it was taken out of the fleet; its history stays.
  add column retired_at timestamptz;
alter table cameras add column row_version integer not null default 0;
alter table stop_classifiers add column row_version integer not null default 0;
alter table units
  add column row_version integer not null default 0,
  -- The customer that owns the unit while it is in no bus.
  add column owner_id bigint references clients,
  -- From the unit's last batches; written when it changes.
  add column firmware text check (length(firmware) between 1 and 64),
  add column clock_offset_ms bigint;

-- Lists of administrators are sorted by name, as people sort.
create index workplaces_name on workplaces (name collate natural_ru, id);
create index users_client on users (client_id);
create index audit_log_user on audit_log (user_id, id);
create index integrator_clients_client on integrator_clients (client_id);
