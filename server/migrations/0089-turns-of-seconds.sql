-- People of one second of a bus that were stored by several batches are different counts to an upstream. A row of the queue
-- has a turn in each of its seconds, from before it is first sent until nothing of that second may be mistaken for it, also
-- after a restart. Without references, as the queue: rows go by their age.
create table upstream_turns (
  upstream_id  bigint not null,
  workplace_id bigint not null,
  -- Since 1970 UTC.
  second       bigint not null,
  queue_id     bigint not null,
  turn         smallint not null,
  taken_at     timestamptz not null,
  primary key (upstream_id, workplace_id, second, queue_id)
);
create index upstream_turns_taken on upstream_turns (taken_at);
