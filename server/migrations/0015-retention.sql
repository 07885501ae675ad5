-- How long video, files and positions are kept. Counts, money and the audit log stay.

-- Null where the installation's own number of days holds.
create table client_retention (
  client_id      bigint primary key references clients,
  video_days     integer check (video_days > 0),
  files_days     integer check (files_days > 0),
  positions_days integer check (positions_days > 0)
);

alter table segments
  -- Somebody wants its video kept, whatever its age.
  add column kept_at timestamptz,
  add column kept_by bigint references users,
  -- Its video was deleted: its days were over, or the disk was full.
  add column video_deleted_at timestamptz,
  add column video_deleted_for text check (video_deleted_for in ('age', 'space'));

-- Positions before it are deleted: laps of such days are not worked out anew.
alter table units add column positions_from timestamptz;

-- Banners that the server itself puts up and takes down are known by a key; some are for administrators.
alter table messages
  add column key text unique,
  add column for_admins boolean not null default false,
  add column details jsonb;
