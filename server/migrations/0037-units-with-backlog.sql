-- The oldest record that a unit still had to send after its last batch, as it said; null: none, or it did not say.
-- Statistics say that records of those days are arriving.
alter table units add column backlog_from timestamptz;
create index units_with_backlog on units (workplace_id) where backlog_from is not null;
