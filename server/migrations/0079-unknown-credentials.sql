-- When a credential was refused last that belongs to no unit: told to people who connect a unit, and perhaps sent it.
create table unknown_credentials (
  only_row    boolean primary key default true check (only_row),
  refused_at  timestamptz not null
);
