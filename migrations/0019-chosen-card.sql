-- Without a choice, visitors of a profile now find the oldest public card instead of the first one. Owners of several cards keep
-- the card that they show.
update profile
set contact_card_id = coalesce(
  (
    select card.id from card
    where card.owner_id = profile.owner_id and card.is_public = 1 and card.is_paused = 0
    order by card.list_position desc, card.id desc
    limit 1
  ),
  ''
)
where contact_card_id = '' and cards_owned > 1;
