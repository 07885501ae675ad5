-- The sweep asks for the open commands of each fragment that waits for its unit.
create index unit_commands_segment on unit_commands (segment_id) where finished_at is null;
