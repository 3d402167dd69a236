-- The version of Meishi that the process runs; empty for one that is too old to say.
alter table instance add column version text not null default '';
