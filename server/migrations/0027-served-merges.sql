-- When a customer's last merge ended, found without reading all that ever ended.

create index merge_requests_served on merge_requests ((coalesce(client_id, 0)), completed_at)
  where fail_reason is distinct from 'cancelled';
