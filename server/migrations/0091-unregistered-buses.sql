-- Records of buses that an upstream does not know yet. They are out of the way of the queue, which gets them back once the
-- upstream takes a record of the bus. Without references, as the queue.
create table upstream_unregistered (
  upstream_id  bigint not null,
  -- That of the row in the queue.
  id           bigint not null,
  unit_id      bigint not null,
  workplace_id bigint not null,
  stored_at    timestamptz not null,
  records      smallint not null,
  points       bytea,
  people       jsonb,
  primary key (upstream_id, id)
);
create index upstream_unregistered_bus on upstream_unregistered (upstream_id, workplace_id, id);

-- When its sender connects again after a fault; null: it is connected, connects, or has nothing to send.
alter table upstreams add column next_try_at timestamptz;

alter table attention_causes
  drop constraint attention_causes_kind_check,
  add constraint attention_causes_kind_check check (kind in ('silent_bus', 'camera_offline', 'imbalance',
    'merge_failed', 'disk_full', 'queue_starved', 'runs_out', 'unknown_unit', 'upstream_late', 'odd_counter',
    'upstream_refuses'));
