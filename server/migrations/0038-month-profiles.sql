-- People of a bus by weekday and local hour of an ended month: a statistic of years by weekday and hour would else read
-- thousands of hours of each bus, which lie in as many pages.

create table month_profiles (
  workplace_id bigint not null references workplaces,
  -- Its first day.
  month        date not null,
  -- Effective counts: Monday from 0 to 1 o'clock first, 168 values.
  entered      integer[] not null,
  exited       integer[] not null,
  primary key (workplace_id, month)
);

-- Months, by their first day, whose profile is missing or may be older than their settled days. Statistics read their
-- hours meanwhile.
create table stale_profiles (
  workplace_id bigint not null references workplaces,
  day          date not null,
  primary key (workplace_id, day)
);

insert into stale_profiles (workplace_id, day)
select distinct workplace_id, date_trunc('month', day)::date from day_traffic
-- The month of the newest day may not have ended.
where day < (select date_trunc('month', max(day)) from day_traffic);
