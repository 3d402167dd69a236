-- Attempts in a row that got no answer. From three on, one message is tried at a time, and none before `paused_until`.
alter table webhook_endpoint add column unanswered integer not null default 0;
alter table webhook_endpoint add column paused_until bigint not null default 0;
-- Messages that weren't stored because too many waited, and when the last one wasn't.
alter table webhook_endpoint add column left_out integer not null default 0;
alter table webhook_endpoint add column left_out_at bigint not null default 0;

drop index webhook_delivery_due;
create index webhook_delivery_waiting on webhook_delivery (endpoint_id, next_attempt_at) where next_attempt_at is not null;
