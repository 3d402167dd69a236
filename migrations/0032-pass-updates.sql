-- When the job runs that updates this pass and its devices; null: none is waiting. Saves until then need no other job.
alter table wallet_pass add column update_due_at bigint;

-- Devices know about changes of the pass up to this time, as in wallet_pass.changed_at.
alter table wallet_registration add column pushed_until bigint not null default 0;
