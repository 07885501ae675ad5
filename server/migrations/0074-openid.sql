-- Sign-in by OpenID Connect: who a user is for the provider, from the first sign-in on.
alter table users
  add column openid_issuer text,
  add column openid_subject text,
  add constraint users_openid_whole check ((openid_issuer is null) = (openid_subject is null)),
  add constraint users_openid_key unique (openid_issuer, openid_subject);

-- The provider decides about second factors of such a session.
alter table sessions add column by_openid boolean not null default false;
