-- Of a playable file that is shorter than its period, although nothing in it says whether it is truncated or its clock
-- runs fast: the time maps of both cases, as {"truncated": …, "fast": …}. time_map is one of them. The other files of the
-- camera decide, and later ones may decide otherwise.
alter table segment_files add column time_maps jsonb;

-- Files that were spread over their periods until now.
update segment_files set time_maps = jsonb_build_object('truncated', null, 'fast', time_map)
  from segments
  where segments.id = segment_id and variant = 'playable' and jsonb_array_length(time_map) = 2
    and duration_ms < 1000 * extract(epoch from end_time - start_time);
