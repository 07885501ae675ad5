-- The address that each port of a unit protocol refused last because it is none of those that may send. Any process may be
-- asked for it.
create table refused_senders (
  listener   text primary key,
  address    text not null,
  refused_at timestamptz not null
);
