-- The work on a day of laps is a row: what is asked for, what was taken, and what is stored. The queue only nudges.
alter table lap_days
  alter column computed_at drop not null,
  -- Since when changes wait to be worked out; null: nothing waits.
  add column asked_at timestamptz,
  -- When they are to be; null: not asked for.
  add column due_at timestamptz,
  -- How often the day's inputs were taken, when last, and the take whose result is stored. A result of an older take
  -- never replaces that of a newer one.
  add column taken bigint not null default 0,
  add column taken_at timestamptz,
  add column stored bigint not null default 0,
  -- Why the last take came to nothing, how many did so in a row, and until when batches do not have it tried again.
  add column failure text check (failure in ('too_long', 'too_large')),
  add column failures integer not null default 0,
  add column retry_at timestamptz;
create index lap_days_waiting on lap_days (due_at) where due_at is not null;
create index lap_days_failed on lap_days (day) where failure is not null;

-- Buses that somebody looks at: their laps are kept fresh. Viewers move the moment on.
create table watched_buses (
  workplace_id bigint primary key references workplaces,
  wanted_until timestamptz not null
);

-- Past days of a bus that somebody has worked out anew: one after the other, from next_day on.
create table lap_recalculations (
  id           bigint generated always as identity primary key,
  workplace_id bigint not null references workplaces,
  user_id      bigint not null references users,
  date_from    date not null,
  date_to      date not null,
  next_day     date not null,
  -- [{"date": .., "laps_before": ..}]: the days that changed, and [{"date": .., "reason": ..}]: those that broke a limit.
  changed      jsonb not null default '[]',
  failed       jsonb not null default '[]',
  created_at   timestamptz not null,
  cancelled_at timestamptz,
  ended_at     timestamptz
);
create index lap_recalculations_of_bus on lap_recalculations (workplace_id, id desc);

-- Days that waited in the queue of before go on waiting, now in their rows. A new database has no queue yet.
do $$
begin
  if to_regclass('graphile_worker._private_jobs') is null then return; end if;
  insert into lap_days (workplace_id, day, asked_at, due_at)
  select split_part(jobs.key, ':', 2)::bigint, split_part(jobs.key, ':', 3)::date, now(), now()
  from graphile_worker._private_jobs as jobs
  where jobs.key ~ '^day:[0-9]+:[0-9-]{10}$'
  on conflict (workplace_id, day) do update set asked_at = excluded.asked_at, due_at = excluded.due_at;
  -- The past has workers of its own now: nothing need be promoted.
  delete from graphile_worker._private_jobs as jobs using graphile_worker._private_tasks as tasks
  where tasks.id = jobs.task_id and tasks.identifier = 'promote_laps';
end $$;
