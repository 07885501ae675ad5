-- What waits for somebody to look at it, over all buses; and what somebody has looked at today.
create index segments_unreviewed on segments (start_time, id)
  where reviewed_at is null and max_objects_count > 4 and status in ('PROCESSED', 'MERGING', 'WAS_MERGED');
create index segments_reviewed on segments (reviewed_by, reviewed_at) where reviewed_at is not null;
