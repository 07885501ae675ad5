-- The link by which a user sets a new password, once. A user has one at most: another link ends the one before.
create table password_links (
  user_id    bigint primary key references users,
  token_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
