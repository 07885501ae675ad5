-- Logins by which registrars that know only FTP upload a video (server/src/fetching/ftp-logins.ts). A fragment has one,
-- for one file; a row that is deleted has ended.
create table ftp_logins (
  login          text primary key,
  -- SHA-256 of the password, which has 130 random bits.
  secret_sha256  bytea not null,
  unit_id        bigint not null references units on delete cascade,
  segment_id     bigint not null unique references segments on delete cascade,
  -- By the registrar's list of files.
  length_bytes   bigint not null check (length_bytes > 0),
  -- Where the registrar last ended a file that its list says is longer.
  ended_at_bytes bigint check (ended_at_bytes > 0),
  created_at     timestamptz not null,
  expires_at     timestamptz not null
);
create index ftp_logins_unit on ftp_logins (unit_id, expires_at);
