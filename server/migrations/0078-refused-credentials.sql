-- When a credential was used last that counts no more, or whose unit is switched off: told to the person who connects
-- the unit.
alter table unit_credentials add column refused_at timestamptz;
