-- Units move from bus to bus from a moment on: what they recorded before stays with the bus in which they sat.
-- Since when a unit sits where it does; an infinite moment for one that has never moved.
alter table units add column assigned_from timestamptz not null default '-infinity';

create table past_assignments (
  unit_id bigint not null references units on delete cascade,
  workplace_id bigint not null references workplaces on delete cascade,
  from_at timestamptz not null,
  until_at timestamptz not null,
  primary key (unit_id, from_at),
  check (from_at < until_at)
);
create index past_assignments_of_bus on past_assignments (workplace_id, until_at);

-- Which unit sat in which bus and when; the end is excluded. A unit is in one bus at a time, and a bus has one unit.
create view unit_assignments as
  select workplace_id, id as unit_id, assigned_from as from_at, 'infinity'::timestamptz as until_at
  from units where workplace_id is not null
  union all
  select workplace_id, unit_id, from_at, until_at from past_assignments;

-- Records without a time are placed in the bus in which their unit sat then, not in that of their arrival.
alter table aside_records drop column workplace_id;
