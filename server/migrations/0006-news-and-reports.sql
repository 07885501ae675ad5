create table news (
  id         bigint generated always as identity primary key,
  type       text not null default 'NEWS' check (type in ('NEWS', 'FAQ')),
  title      text not null,
  text       text not null,
  date_from  timestamptz not null default now(),
  active     boolean not null default true,
  media_id   bigint references media,
  created_at timestamptz not null default now()
);
create index news_shown on news (type, date_from desc) where active;

create table news_reads (
  news_id bigint not null references news on delete cascade,
  user_id bigint not null references users,
  read_at timestamptz not null default now(),
  primary key (news_id, user_id)
);

-- Info banners of the bus list.
create table messages (
  id         bigint generated always as identity primary key,
  title      text not null,
  text       text not null,
  active     boolean not null default true,
  created_at timestamptz not null default now()
);

create table reports (
  id           bigint generated always as identity primary key,
  user_id      bigint not null references users,
  kind         text not null,
  parameters   jsonb not null,
  status       text not null default 'PROCESS' check (status in ('PROCESS', 'COMPLETE', 'FAILED')),
  progress     smallint not null default 0 check (progress between 0 and 100),
  fail_reason  text,
  storage_key  text,
  size_bytes   bigint,
  created_at   timestamptz not null default now(),
  completed_at timestamptz
);
