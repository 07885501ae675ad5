-- Recorded video of registrars of JT/T 808 (server/src/ingest/jt1078). A row holds what the registrar's list says of the
-- file of a fragment; the command that asks for the file repeats it.
create table registrar_files (
  segment_id bigint primary key references segments on delete cascade,
  -- 0: the list does not say it.
  size_bytes bigint not null check (size_bytes >= 0),
  -- Numbers of JT/T 1078: pictures and sound, main or sub stream, main or backup storage.
  media      smallint not null,
  stream     smallint not null,
  storage    smallint not null
);

-- The files of the registrar's recorded cameras are listed until then; null: never.
alter table units add column listed_until timestamptz;

-- Why a range failed, where the server knows it; the words of the unit are in `reason`.
alter table unit_commands add column fail_reason text
  check (fail_reason in ('no_answer', 'no_channel', 'no_recording', 'uploads_not_set_up'));

alter table segments
  drop constraint segments_fail_reason_check,
  add constraint segments_fail_reason_check check (fail_reason in (
    'cancelled', 'damaged', 'not_a_video', 'not_playable', 'not_decodable', 'not_checked',
    'shorter_than_stored', 'upload_stopped', 'upload_abandoned', 'upload_too_long', 'not_sent', 'nothing_sent',
    'unit_failed', 'unit_gave_up', 'no_answer', 'not_announced', 'request_lost', 'not_counted',
    'counting_stuck', 'merge_cancelled', 'merge_failed', 'merge_stuck', 'no_channel', 'no_recording',
    'uploads_not_set_up'));
