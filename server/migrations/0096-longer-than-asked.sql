-- A registrar that sends a whole file for a part of it (server/src/video/verify-job.ts).
alter table segments
  drop constraint segments_fail_reason_check,
  add constraint segments_fail_reason_check check (fail_reason in (
    'cancelled', 'damaged', 'not_a_video', 'not_playable', 'not_decodable', 'not_checked',
    'shorter_than_stored', 'longer_than_asked', 'upload_stopped', 'upload_abandoned', 'upload_too_long', 'not_sent',
    'nothing_sent', 'unit_failed', 'unit_gave_up', 'no_answer', 'not_announced', 'request_lost', 'not_counted',
    'counting_stuck', 'merge_cancelled', 'merge_failed', 'merge_stuck', 'no_channel', 'no_recording',
    'uploads_not_set_up'));
