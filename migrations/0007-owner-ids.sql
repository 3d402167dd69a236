-- The owner of a row is a user today and may be a team later. The value stays the id of better-auth's "user".
alter table profile rename column user_id to owner_id;

alter table handle rename column user_id to owner_id;

alter table card rename column user_id to owner_id;

alter table subscription rename column user_id to owner_id;

drop index handle_by_user;

create index handle_by_owner on handle (owner_id);

drop index card_by_user;

create index card_by_owner on card (owner_id, created_at, id);
