-- The review that a manual count replaced, restored when the count is emptied; null if the fragment was not reviewed.
alter table manual_counts
  add column replaced_reviewed_at timestamptz,
  add column replaced_reviewed_by bigint references users;
