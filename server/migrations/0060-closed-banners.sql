-- Banners that a user closed, on whichever device.
create table message_closings (
  message_id bigint not null references messages on delete cascade,
  user_id    bigint not null references users,
  closed_at  timestamptz not null,
  primary key (message_id, user_id)
);
