-- A try to sign in is counted before the password is looked at, and taken back when it was the right one.
alter table login_failures
  add column id bigint generated always as identity primary key,
  add column pending boolean not null default false;

-- What no longer counts is forgotten, whosever it was.
create index login_failures_at on login_failures (at);
