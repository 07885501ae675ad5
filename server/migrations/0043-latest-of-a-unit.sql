-- What happened last to a unit: uploads that ended, commands, live streams.
create index uploads_received on uploads (unit_id, finished_at desc) where finished_at is not null;
create index unit_commands_latest on unit_commands (unit_id, id desc);
create index live_streams_unit on live_streams (unit_id, started_at desc);
