-- Ids that knocked stay for a while when a unit gets them, so that a late adoption can say whose one is. Readers see only
-- those that no unit has, in whatever way and moment it got its id.
alter table unknown_units rename to knocks;
alter index unknown_units_pkey rename to knocks_pkey;
alter index unknown_units_last rename to knocks_last;
alter index unknown_units_protocol_protocol_id_key rename to knocks_protocol_protocol_id_key;
alter sequence unknown_units_id_seq rename to knocks_id_seq;
alter table knocks rename constraint unknown_units_counted to knocks_counted;

create view unknown_units as
  select id, protocol, protocol_id, address, first_at, last_at, records, sent_time, latitude, longitude, ignored,
    counted_time, door, entered, exited
  from knocks
  where not exists (select from units
    where units.protocol = knocks.protocol and units.protocol_id = knocks.protocol_id);

-- An id that its unit gives up is as one that has never knocked: its next message makes it unknown again. Many statements change
-- units, and none can forget this.
create function forget_knock() returns trigger language plpgsql as $$
begin
  delete from knocks where protocol = old.protocol and protocol_id = old.protocol_id;
  return null;
end
$$;
create trigger units_given_up after delete on units
  for each row when (old.protocol_id is not null) execute function forget_knock();
create trigger units_changed after update of protocol, protocol_id on units
  for each row when (old.protocol is distinct from new.protocol or old.protocol_id is distinct from new.protocol_id)
  execute function forget_knock();
