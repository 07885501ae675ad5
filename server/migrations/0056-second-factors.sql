-- Sign-in with a code of an authenticator app (RFC 6238) beside the password.
create table second_factors (
  user_id      bigint primary key references users,
  -- Codes are computed from the secret, so a hash of it would be of no use.
  secret       bytea not null check (length(secret) = 20),
  created_at   timestamptz not null,
  -- Null: the user has not shown a code of it yet, and signs in without one.
  confirmed_at timestamptz,
  -- The time step of the last code that was used: codes of this and earlier steps are refused.
  last_step    bigint not null default 0
);

-- Codes for a lost phone. A used one is deleted.
create table recovery_codes (
  user_id   bigint not null references second_factors on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);
