-- Days whose laps take long have workers of their own, so that they hold up no others.
alter table lap_days add column is_slow boolean not null default false;
