-- Where a clock is changed within an hour (Lord Howe by half an hour, Chatham at a quarter to three), the later hours of the
-- day began at other moments than those of its clock: these days are rebuilt.
insert into stale_hours (workplace_id, day)
select distinct workplace_id, day
from (
  select kept.workplace_id, timezone, (hour_start at time zone timezone)::date as day
  from workplace_settings as settings
  join hourly_traffic as kept on kept.workplace_id = settings.workplace_id
  where timezone in ('Australia/Lord_Howe', 'Australia/LHI', 'Pacific/Chatham', 'NZ-CHAT')
) as counted
where (day + 1)::timestamp at time zone timezone - day::timestamp at time zone timezone <> interval '24 hours'
on conflict do nothing;
