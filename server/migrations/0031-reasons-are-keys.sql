-- A reason is a key (contract/src/fail-reasons.ts), which screens say in the user's language. What a unit said is beside
-- it, as it said it.
alter table segments add column fail_detail text;
alter table live_streams add column fail_detail text;

create temporary table keys (said text primary key, key text not null) on commit drop;
insert into keys values
  ('cancelled', 'cancelled'),
  ('The file arrived damaged: its SHA-256 is not the announced one.', 'damaged'),
  ('The file is not a video.', 'not_a_video'),
  ('The video cannot be made playable.', 'not_playable'),
  ('The video cannot be decoded.', 'not_decodable'),
  ('The server could not check the file.', 'not_checked'),
  ('The upload stopped and did not go on.', 'upload_stopped'),
  ('The unit abandoned the upload.', 'upload_abandoned'),
  ('The unit said it was done, but sent no video.', 'nothing_sent'),
  ('The unit could not send the video.', 'unit_failed'),
  ('The unit could not start the stream.', 'unit_failed'),
  ('The unit did not answer.', 'no_answer'),
  ('The unit did not say what became of the recording.', 'not_announced'),
  ('The request for the video was lost.', 'request_lost'),
  ('The fragment could not be counted.', 'not_counted'),
  ('The counting did not come to its end.', 'counting_stuck'),
  ('The merge was cancelled.', 'merge_cancelled'),
  ('The merge failed.', 'merge_failed'),
  ('The merge did not come to its end.', 'merge_stuck');

-- Any other text came from a unit.
update segments set fail_reason = 'unit_failed', fail_detail = fail_reason
  where fail_reason is not null and fail_reason not in (select said from keys);
update segments set fail_reason = keys.key from keys where fail_reason = said;
update live_streams set fail_reason = 'unit_failed', fail_detail = fail_reason
  where fail_reason is not null and fail_reason not in (select said from keys);
update live_streams set fail_reason = keys.key from keys where fail_reason = said;

alter table segments add constraint segments_fail_reason_check check (fail_reason in (
    'cancelled', 'damaged', 'not_a_video', 'not_playable', 'not_decodable', 'not_checked',
    'shorter_than_stored', 'upload_stopped', 'upload_abandoned', 'upload_too_long', 'not_sent', 'nothing_sent',
    'unit_failed', 'unit_gave_up', 'no_answer', 'not_announced', 'request_lost', 'not_counted',
    'counting_stuck', 'merge_cancelled', 'merge_failed', 'merge_stuck'));
alter table live_streams add constraint live_streams_fail_reason_check check (
  fail_reason in ('no_answer', 'unit_failed'));

-- The reason of a command is what the unit said, and nothing else.
update unit_commands set reason = null where result = 'cancelled';

-- The sweep looks for queued videos that never come, and for uploads that stopped.
create index segments_queued on segments (status_at) where status = 'ADDED';
-- Since when an upload gets no bytes although its unit is heard; null while bytes come.
alter table uploads add column stopped_at timestamptz;
create index uploads_unfinished on uploads (received_at) where finished_at is null;
