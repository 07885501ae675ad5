-- Rebuilding hours and listing heard hours read this index alone: in the table the events of a bus are spread over as
-- many pages.
drop index passenger_events_bus;
create index passenger_events_bus on passenger_events (workplace_id, time) include (direction, passenger, count);
