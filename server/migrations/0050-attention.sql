-- Causes of attention, and where their messages go: webhook and mail addresses, quiet hours, attempts to send.

-- Since when the unit has reported a camera as offline; null: it is online, or was never reported.
alter table cameras add column offline_since timestamptz;
update cameras set offline_since = status_at where status = 'offline';

-- The limits of a customer and where its messages go. The row without a customer is the installation's: of buses without
-- a customer, and of the causes that only administrators see.
create table attention_settings (
  client_id         bigint unique nulls not distinct references clients on delete cascade,
  silent_minutes    smallint not null default 10 check (silent_minutes between 5 and 1440),
  camera_minutes    smallint not null default 60 check (camera_minutes between 5 and 1440),
  imbalance_percent smallint not null default 10 check (imbalance_percent between 1 and 100),
  -- Kinds that are sent. All are shown.
  sent_kinds        text[] not null,
  -- Local times, HH:mm, between which nothing is sent, over midnight if the end is earlier; both null: none.
  quiet_from        text check (quiet_from ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  quiet_to          text check (quiet_to ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  timezone          text not null default 'Europe/Moscow',
  webhook_url       text,
  -- Key of the signatures.
  webhook_secret    text,
  mail_to           text[] not null default '{}',
  language          text not null default 'ru_RU' check (language in ('ru_RU', 'en_US')),
  check ((quiet_from is null) = (quiet_to is null)),
  check ((webhook_url is null) = (webhook_secret is null))
);

create table attention_causes (
  id           bigint generated always as identity primary key,
  kind         text not null check (kind in
    ('silent_bus', 'camera_offline', 'imbalance', 'merge_failed', 'disk_full', 'queue_starved')),
  client_id    bigint references clients on delete cascade,
  workplace_id bigint references workplaces on delete cascade,
  camera_id    bigint references cameras on delete cascade,
  -- What tells causes of one kind, bus and camera apart: the day, the merge request, the class of work; else empty.
  subject      text not null default '',
  since        timestamptz not null,
  opened_at    timestamptz not null,
  ended_at     timestamptz,
  details      jsonb not null,
  key          text not null generated always as (kind || ' ' || coalesce(client_id, 0)::text || ' '
    || coalesce(workplace_id, 0)::text || ' ' || coalesce(camera_id, 0)::text || ' ' || subject) stored
);
-- An open cause has one row.
create unique index attention_causes_open on attention_causes (key) where ended_at is null;
create index attention_causes_of_client on attention_causes (client_id) where ended_at is null;
create index attention_causes_by_key on attention_causes (key, ended_at) where ended_at is not null;
create index attention_causes_ended on attention_causes (ended_at) where ended_at is not null;

-- From when on the job has looked every minute: after a stop of the server no bus is silent because of the stop.
create table attention_watch (
  only_row   boolean primary key default true check (only_row),
  since      timestamptz not null,
  looked_at  timestamptz not null
);

-- Up to when a user has seen what was opened.
create table attention_seen (
  user_id bigint primary key references users on delete cascade,
  seen_at timestamptz not null
);

-- A cause to be sent by a channel of its customer.
create table attention_deliveries (
  id            bigint generated always as identity primary key,
  cause_id      bigint not null references attention_causes on delete cascade,
  channel       text not null check (channel in ('webhook', 'mail')),
  -- dropped: the cause ended before it was sent
  status        text not null default 'waiting' check (status in ('waiting', 'sent', 'failed', 'dropped')),
  created_at    timestamptz not null,
  due_at        timestamptz not null,
  attempts      smallint not null default 0,
  -- Another process does not send it before this moment.
  claimed_until timestamptz,
  ended_at      timestamptz,
  -- What went wrong at the last attempt.
  error         text
);
create index attention_deliveries_waiting on attention_deliveries (due_at) where status = 'waiting';
create index attention_deliveries_cause on attention_deliveries (cause_id);

-- Failed merges of the last day are causes.
create index merge_requests_failed on merge_requests (completed_at) where status = 'FAILED';
