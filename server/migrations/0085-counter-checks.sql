-- Whether the counts of a unit of EGTS look as its setting says (server/src/ingest/egts/check-counters-job.ts).

-- How often a counter that only grows rose and fell, as far as remembered.
alter table counter_readings
  add column rises smallint not null default 0,
  add column falls smallint not null default 0;

create table counter_checks (
  unit_id  bigint primary key references units on delete cascade,
  -- The setting that was checked, and since when it is that; null: since before the first check.
  counts   text not null check (counts in ('delta', 'cumulative')),
  since    timestamptz,
  -- What the counts look like if that is not the setting, and since when.
  looks    text check (looks in ('delta', 'cumulative')),
  found_at timestamptz,
  check ((looks is null) = (found_at is null))
);

alter table attention_causes
  drop constraint attention_causes_kind_check,
  add constraint attention_causes_kind_check check (kind in ('silent_bus', 'camera_offline', 'imbalance',
    'merge_failed', 'disk_full', 'queue_starved', 'runs_out', 'unknown_unit', 'upstream_late', 'odd_counter'));
