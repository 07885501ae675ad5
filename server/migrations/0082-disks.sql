-- The disk of each machine as its worker read it last: the notices of disks and the storage section speak of these.
create table disks (
  machine     text primary key,
  total_bytes bigint not null,
  free_bytes  bigint not null,
  read_at     timestamptz not null
);

-- A notice of a disk is of a machine. An open one is of the machine that read its disk last.
update attention_causes
set subject = case kind when 'runs_out' then 'disk ' else '' end || machine
from (select machine from disk_readings order by hour desc limit 1) as last
where ended_at is null and (kind = 'disk_full' or (kind = 'runs_out' and subject = 'disk'));
