-- The audit log is listed by what was done, to what, and by whom; the values of the filters are read from the indexes.
create index audit_log_action on audit_log (action, id);
drop index audit_log_object;
create index audit_log_object on audit_log (object_type, object_id, id);
