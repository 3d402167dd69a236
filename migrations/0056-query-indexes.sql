-- For statements that read whole tables to find a few rows.
create index asset_unfinished on asset (created_at) where is_ready = 0;
create index replaced_token_session on replaced_token (session_id);
create index erased_lead_age on erased_lead (erased_at);
create index lead_forward_unconfirmed on lead_forward (created_at) where confirmed_at is null;
create index replaced_token_expiry on replaced_token (expires_at);
