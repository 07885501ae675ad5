-- What a bus's day came to, so that a statistic of years reads days instead of records; and the same by route, so that
-- one of all buses reads routes instead of buses. Batches write neither: a day is settled after them.

-- Few days have a shift; batches ask for them.
create index calculations_with_shift on calculations (workplace_id, day)
  where shift_start is not null or shift_end is not null;

create table day_traffic (
  workplace_id    bigint not null references workplaces,
  day             date not null,
  -- The only customer of the bus; null with none or several. Then the day is in no row of route_traffic.
  client_id       bigint references clients,
  -- The route valid on the day; null: none.
  group_id        bigint references route_groups,
  -- Effective counts within the shift.
  entered_adults  integer not null,
  entered_kids    integer not null,
  exited_adults   integer not null,
  exited_kids     integer not null,
  -- How many of them manual counts add to what the counter saw; negative where they take away.
  entered_manual  integer not null,
  exited_manual   integer not null,
  revenue_kopecks bigint not null,
  -- People whose ride has no price, thousandths.
  no_price_milli  bigint not null,
  -- Bit n: the unit sent something between n and n + 1 o'clock; and how many hours of the day that are.
  heard           integer not null,
  heard_hours     smallint not null,
  silent_hours    smallint not null,
  -- Settled after its end.
  closed          boolean not null,
  primary key (workplace_id, day)
);
create index day_traffic_of_many on day_traffic (day) where client_id is null;
create index day_traffic_of_route on day_traffic (group_id, day);

-- Sums of day_traffic over the buses of a customer on a route; group_id 0: on none.
create table route_traffic (
  client_id       bigint not null references clients,
  day             date not null,
  group_id        bigint not null,
  entered_adults  bigint not null,
  entered_kids    bigint not null,
  exited_adults   bigint not null,
  exited_kids     bigint not null,
  revenue_kopecks bigint not null,
  no_price_milli  bigint not null,
  heard_hours     bigint not null,
  silent_hours    bigint not null,
  primary key (client_id, day, group_id)
)
-- Each settled day changes a row of its route; room in the pages spares the index.
with (fillfactor = 70);

-- Days to settle beside those whose laps are due: a change that needs no new laps. Statistics read them live meanwhile.
create table unsettled_days (
  workplace_id bigint not null references workplaces,
  day          date not null,
  primary key (workplace_id, day)
);
create index unsettled_days_newest on unsettled_days (day desc, workplace_id);
-- Whatever is stored already.
insert into unsettled_days (workplace_id, day)
select workplace_id, day from bus_days union select workplace_id, day from laps;

-- Days whose laps are being computed; with lap_days_waiting all that statistics read live.
create index lap_days_taken on lap_days (day) where taken > stored;
create index lap_days_due on lap_days (day) where due_at is not null;
