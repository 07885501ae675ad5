-- Codes by which terminals of JT/T 808 show that the server has registered them are made with a key of their own.
alter table signing_keys
  drop constraint signing_keys_purpose_check,
  add constraint signing_keys_purpose_check check (purpose in ('access_token', 'video', 'jt808_code'));
