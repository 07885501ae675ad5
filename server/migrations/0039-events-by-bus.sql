-- Whoever sums a bus's events, to rebuild its hours or to list when it was heard, reads the index alone: a bus's rows lie
-- apart in the table, each in a page of its own.
drop index passenger_events_bus;
create index passenger_events_bus on passenger_events (workplace_id, time) include (direction, passenger, count);
