-- When the bus drove past a stop without stopping: interpolated, so apart from arrival, which only visited stops have.
-- Laps that were worked out before have none until their day is worked out again.

alter table lap_stops add column passed_at timestamptz;
