-- What a merged file is made of, and who is making it.

alter table merge_requests
  -- Last sign of life of the process that works on it.
  add column worked_at timestamptz,
  -- Media time of the file.
  add column duration_ms bigint,
  -- The file was deleted when its days were over; what was asked for and its SHA-256 stay.
  add column deleted_at timestamptz;
drop index merge_requests_user;
create index merge_requests_client on merge_requests (client_id, created_at desc);
create index merge_requests_open on merge_requests (created_at) where status = 'PROCESS';

create table merge_request_segments (
  request_id bigint not null references merge_requests,
  segment_id bigint not null references segments,
  primary key (request_id, segment_id)
);
create index merge_request_segments_segment on merge_request_segments (segment_id);
