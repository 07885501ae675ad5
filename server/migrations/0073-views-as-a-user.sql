-- The session of an administrator who sees the product as another user does. It ends with the session that opened it.
alter table sessions add column opened_by uuid references sessions;
create index sessions_opened_by on sessions (opened_by) where opened_by is not null;
