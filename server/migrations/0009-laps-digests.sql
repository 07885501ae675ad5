-- What tells a lap and the halts of a day from what they were before: only what changed is written again.
alter table laps add column digest text not null default '';
alter table lap_days add column halts_digest text not null default '';
