-- Since when a row that was kept in upstream_unregistered is in the queue again; null: it never was there. It has not been
-- waiting for an answer since it was stored.
alter table upstream_queue add column back_at timestamptz;

-- A move of a unit takes what waits of it along. The index of a number that comes again and again is small, and costs a new row
-- little.
create index upstream_queue_unit on upstream_queue (unit_id);
create index upstream_unregistered_unit on upstream_unregistered (unit_id);

-- Records of a unit in the bus that it left for none, from the moment on that it left. Its next bus gets them; until then they
-- are sent to nobody. Without references, as the queue.
create table upstream_parked (
  upstream_id  bigint not null,
  -- That of the row in the queue.
  id           bigint not null,
  unit_id      bigint not null,
  stored_at    timestamptz not null,
  records      smallint not null,
  points       bytea,
  people       jsonb,
  primary key (upstream_id, id)
);
create index upstream_parked_unit on upstream_parked (unit_id);
create index upstream_parked_stored on upstream_parked (stored_at);
