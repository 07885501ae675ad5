-- The link by which the first administrator of an installation is made, once. There is one at most: another start of
-- the server replaces it.
create table setup_links (
  id         smallint primary key default 1 check (id = 1),
  token_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
