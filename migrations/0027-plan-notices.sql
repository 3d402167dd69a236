-- Which mails about the plan an owner got, so that each is sent once.
create table plan_notice (
  owner_id text not null primary key,
  -- The plan that the owner was last known to have.
  plan text not null,
  -- The start of the newest subscription that was welcomed; 0 for none. The others are also times of what was mailed.
  welcomed_until bigint not null,
  failed_since bigint not null,
  ending_at bigint not null,
  ended_at bigint not null
);
insert into plan_notice (owner_id, plan, welcomed_until, failed_since, ending_at, ended_at)
  select owner_id, plan,
    coalesce((select max(started_at) from stripe_subscription where stripe_subscription.owner_id = subscription.owner_id), 0),
    coalesce((select max(past_due_since) from stripe_subscription where stripe_subscription.owner_id = subscription.owner_id), 0),
    0, 0
  from subscription;
create index subscription_end on subscription (ends_at);
