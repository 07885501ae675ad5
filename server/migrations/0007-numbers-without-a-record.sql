-- Numbers that were acknowledged without anything being stored (positions without a fix): a later record under such a
-- number says something else.
alter table unit_streams add column unplaced int8multirange not null default '{}';
