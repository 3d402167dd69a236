-- The card that Save Contact on the profile opens: "" for the first one that visitors can open.
alter table profile add column contact_card_id text not null default '';
