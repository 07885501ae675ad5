-- The first take of a day's inputs that has the last edit by a person: while its result is not stored, money is older
-- than the people that it comes from (docs/decisions/091-money-follows-people.md).
alter table lap_days add column edited_take bigint not null default 0;
