-- The local days of a bus that belong to a customer. A bus that passes to another one keeps the days of both
-- (docs/decisions/088-owned-days.md).
create table bus_owners (
  workplace_id bigint not null references workplaces,
  client_id    bigint not null references clients,
  from_day     date not null default '-infinity',
  -- The last day; infinity: it is the customer's bus now.
  to_day       date not null default 'infinity',
  primary key (workplace_id, client_id, from_day),
  check (from_day <= to_day)
);
insert into bus_owners (workplace_id, client_id) select workplace_id, client_id from workplace_clients;
create unique index bus_owners_now on bus_owners (workplace_id, client_id) where to_day = 'infinity';
create index bus_owners_client on bus_owners (client_id, workplace_id);

-- The customers that a bus has now.
drop table workplace_clients;
create view workplace_clients as
  select workplace_id, client_id from bus_owners where to_day = 'infinity';
