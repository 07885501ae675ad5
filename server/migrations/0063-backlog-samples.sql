-- How many jobs of a class waited, by minute, for the last hour: a backlog that shrinks is no fault.
create table backlog_samples (
  class   text not null,
  minute  timestamptz not null,
  waiting integer not null,
  primary key (class, minute)
);
