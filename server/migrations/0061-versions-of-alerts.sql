-- Whoever saves alerts says which version of them they saw.
alter table attention_settings add column row_version int not null default 0;
