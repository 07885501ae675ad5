-- The audit log is searched by the names of its objects, also of those that are deleted or have another name by now.

-- The name of an object in what a command changed; null without one. An index takes no long texts.
create function audit_name(changed jsonb) returns text
  language sql immutable parallel safe
  return nullif(btrim(left(
    coalesce(changed ->> 'login', changed ->> 'device_id', changed ->> 'title', changed ->> 'name', '')
      || coalesce(' ' || (changed ->> 'surname'), ''), 255)), '');

-- The names before and after the command, the later one last; null where neither is known. Commands about a route's
-- stops and patterns have the name of the stop or the pattern.
alter table audit_log add column object_names text[] generated always as (
  case when object_id is not null and (
    object_type in ('client', 'api_key', 'user', 'workplace', 'unit', 'camera', 'stop_classifier', 'news', 'message')
    or object_type = 'route_group'
      and action in ('create_route', 'create_route_from_file', 'update_route', 'delete_route')
  ) then nullif(array_remove(array[audit_name(before), audit_name(after)], null), '{}') end
) stored,
  -- The id of the bus that a unit left, and of that to which it came: their histories have its moves, too.
  add column left_bus_id text generated always as (
    case when object_type = 'unit' then before #>> '{bus,id}' end
  ) stored,
  add column entered_bus_id text generated always as (
    case when object_type = 'unit' then after #>> '{bus,id}' end
  ) stored;
create index audit_log_left_bus on audit_log (left_bus_id, id) where left_bus_id is not null;
create index audit_log_entered_bus on audit_log (entered_bus_id, id) where entered_bus_id is not null;
create index audit_log_names on audit_log (object_type, object_id, id) include (object_names)
  where object_names is not null;

-- By their authors and by what was done. The kind of a command (change, session or reading) is read from the index alone:
-- an author may have a million views and few changes.
create index audit_log_unit on audit_log (unit_id, id) include (object_type, action) where unit_id is not null;
drop index audit_log_user;
create index audit_log_user on audit_log (user_id, id) include (object_type, action);
drop index audit_log_action;
create index audit_log_action on audit_log (action, id) include (object_type);
-- A request is asked for by its whole number, and may have thousands of commands: the latest come first.
create index audit_log_request on audit_log (request_id, id) where request_id is not null;
