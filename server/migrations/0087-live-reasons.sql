-- Live video of JT/T 1078: pictures that are none, a camera whose channel nobody knows, a server without a port for it.
alter table live_streams
  drop constraint live_streams_fail_reason_check,
  add constraint live_streams_fail_reason_check check (
    fail_reason in ('no_answer', 'unit_failed', 'not_a_video', 'no_channel', 'live_not_set_up'));
