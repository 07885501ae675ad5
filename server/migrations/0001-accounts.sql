-- Customers, users, sessions and what guards them.

-- Names sort as people expect: Автобус 2 before Автобус 10, Ё beside Е.
create collation natural_ru (provider = icu, locale = 'ru-u-kn-true');

-- Users and customers share one sequence, so that a customer's first account can carry the customer's id.
create sequence account_ids as bigint;

create table installation (
  only_row   boolean primary key default true check (only_row),
  -- The demo refuses a database that it did not make.
  demo       boolean not null,
  created_at timestamptz not null default now()
);

create table clients (
  id         bigint primary key default nextval('account_ids'),
  name       text not null check (length(name) between 1 and 255),
  patronymic text,
  surname    text,
  -- 1 active, 2 trial, 3 blocked, 4 archived
  status     smallint not null default 1 check (status between 1 and 4),
  enabled    boolean not null default true,
  created_at timestamptz not null default now()
);
create unique index clients_name on clients (name);

create table integrator_clients (
  integrator_id bigint not null references clients,
  client_id     bigint not null references clients,
  primary key (integrator_id, client_id),
  check (integrator_id <> client_id)
);

create table users (
  id            bigint primary key default nextval('account_ids'),
  login         text not null check (length(login) between 1 and 255),
  password_hash text not null,
  role          text not null check (role in ('ADMIN', 'INTEGRATOR', 'CUSTOMER', 'OPERATOR')),
  -- The customer of a CUSTOMER, the integrator's own, the employer of an OPERATOR; none for ADMIN.
  client_id     bigint references clients,
  enabled       boolean not null default true,
  -- Gives a CUSTOMER the edit right; the other roles have it anyway.
  can_edit      boolean not null default false,
  created_at    timestamptz not null default now(),
  check ((role = 'ADMIN') = (client_id is null))
);
create unique index users_login on users (lower(login));

create table sessions (
  id           uuid primary key default gen_random_uuid(),
  user_id      bigint not null references users,
  created_at   timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  address      text not null,
  user_agent   text not null,
  revoked_at   timestamptz,
  revoke_reason text
);
create index sessions_user on sessions (user_id) where revoked_at is null;

-- One family of refresh tokens a session; only hashes are kept.
create table refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references sessions on delete cascade,
  issued_at  timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at    timestamptz
);
create index refresh_tokens_session on refresh_tokens (session_id);

create table login_failures (
  login   text not null,
  address text not null,
  at      timestamptz not null default now()
);
create index login_failures_address on login_failures (address, at);

-- Keys of access tokens and of video addresses, made at the first start.
create table signing_keys (
  id         smallint generated always as identity primary key,
  purpose    text not null check (purpose in ('access_token', 'video')),
  secret     bytea not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz
);

create table audit_log (
  id          bigint generated always as identity primary key,
  at          timestamptz not null default now(),
  user_id     bigint,
  unit_id     bigint,
  -- The command's name: `set_group`, `change_password`.
  action      text not null,
  object_type text not null,
  object_id   text,
  before      jsonb,
  after       jsonb,
  request_id  text,
  address     text
);
create index audit_log_at on audit_log using brin (at);
create index audit_log_object on audit_log (object_type, object_id);
