-- Administrators write news and banners: each row has a version, so that a change of an outdated row is refused.
alter table news add column row_version integer not null default 0;
alter table messages
  add column row_version integer not null default 0,
  -- Shown from then on, and until then; null: no such bound.
  add column date_from timestamptz,
  add column date_to timestamptz,
  add constraint messages_dates check (date_to > date_from);
