-- What will run out, before it does: the disk, a certificate, an API key.
alter table attention_causes
  drop constraint attention_causes_kind_check,
  add constraint attention_causes_kind_check check (kind in ('silent_bus', 'camera_offline', 'imbalance',
    'merge_failed', 'disk_full', 'queue_starved', 'runs_out'));

-- How full the disk of a machine was, once an hour; the pace of a week says when it will be crowded.
create table disk_readings (
  machine    text not null,
  hour       timestamptz not null,
  used_bytes bigint not null,
  primary key (machine, hour)
);
