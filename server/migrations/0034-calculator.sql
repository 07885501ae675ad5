-- The calculator. The first event of a day creates its record by copying fare, percent and event of the latest earlier
-- one; afterwards only people change it. version 0: nobody has.
alter table calculations
  alter column version set default 0,
  add check (fare_kopecks <= 10000000),
  add column driver text check (length(driver) between 1 and 255),
  add column handed_in_kopecks bigint check (handed_in_kopecks >= 0),
  -- The day whose values were copied; null: there was none.
  add column copied_from date,
  -- Null for records from before this migration.
  add column created_at timestamptz,
  add column updated_by bigint references users,
  add column updated_at timestamptz;

-- Past days keep their money: without a record each would copy a fare that somebody sets for an earlier day.
insert into calculations (workplace_id, day)
select workplace_id, day from bus_days
on conflict do nothing;

-- Every change by hand, a row a value. before and after are texts as in the API; null: no value.
create table calculation_changes (
  id           bigint generated always as identity primary key,
  workplace_id bigint not null,
  day          date not null,
  -- Of the record after the change.
  version      integer not null,
  field        text not null,
  before       text,
  after        text,
  -- On the page of the bus, or for a whole group.
  source       text not null check (source in ('hand', 'group')),
  user_id      bigint not null references users,
  at           timestamptz not null,
  foreign key (workplace_id, day) references calculations
);
create index calculation_changes_day on calculation_changes (workplace_id, day, id);

-- Rides of a lap without a price, the most people first: [{"from": stop id or null, "to": .., "people": ..}].
alter table laps add column no_price_pairs jsonb not null default '[]';
