-- Keys by which programs of a customer read what the customer sees. Ids come from the sequence of users, so that no
-- key is taken for a user where answers are cached and noted by the id of who asked.
create table api_keys (
  id           bigint primary key default nextval('account_ids'),
  -- Stands for the session in the addresses of video that a key is given.
  holder_id    uuid not null unique default gen_random_uuid(),
  client_id    bigint not null references clients,
  name         text not null check (length(name) between 1 and 255),
  secret_hash  bytea not null unique,
  scopes       text[] not null check (cardinality(scopes) > 0),
  created_by   bigint not null references users,
  created_at   timestamptz not null,
  -- Null: the key does not expire.
  expires_at   timestamptz,
  revoked_at   timestamptz,
  last_used_at timestamptz
);
create index api_keys_client on api_keys (client_id);
