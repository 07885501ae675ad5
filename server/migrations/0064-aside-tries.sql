-- When the neighbours of a record without a time were last asked for it.
alter table aside_records add column tried_at timestamptz;
