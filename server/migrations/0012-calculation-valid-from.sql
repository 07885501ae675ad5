-- How a group's revenue is reckoned, from a local day on; a group without rows was never changed.
-- route_groups.type_calculation is what holds now.
create table route_calculations (
  group_id         bigint not null references route_groups,
  valid_from       date not null,
  type_calculation text not null check (type_calculation in ('FIXED', 'CALCULATION')),
  primary key (group_id, valid_from)
);
