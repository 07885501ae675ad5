-- What a report's file is besides its rows, and how its job knows that it is lost.
alter table reports
  add column format text not null default 'xlsx' check (format in ('xlsx', 'csv')),
  -- Of its headings.
  add column language text not null default 'ru_RU' check (language in ('ru_RU', 'en_US')),
  add column row_count bigint,
  add column sha256 bytea,
  -- The buses whose rows the file has: whoever loses one of them loses the file. Null: the parameters name its routes.
  add column bus_ids bigint[],
  -- When the job last wrote its progress.
  add column worked_at timestamptz,
  add constraint reports_fail_reason check (
    fail_reason in ('cancelled', 'not_found', 'no_right', 'too_large', 'no_space', 'failed'));
create index reports_user on reports (user_id, created_at desc, id desc);
create index reports_open on reports (id) where status = 'PROCESS';
