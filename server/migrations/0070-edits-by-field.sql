-- Edits name what the user saw of the fields that they change; rows need no version.
alter table clients drop column row_version;
alter table users drop column row_version;
alter table workplaces drop column row_version;
alter table units drop column row_version;
alter table cameras drop column row_version;
alter table stop_classifiers drop column row_version;
alter table news drop column row_version;
alter table messages drop column row_version;
alter table attention_settings drop column row_version;
