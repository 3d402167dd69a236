-- For maintenance tasks, which must not read whole tables.
create index card_without_code on card (owner_id) where code is null;
create index lead_unannounced on lead (expires_at)
  where expiry_noticed_at is null and quarantined_at is null and withdrawn_at is null;
