-- When the unit last drove: over 5 km/h, by its own word or from fix to fix.
alter table units add column last_moved_at timestamptz;
