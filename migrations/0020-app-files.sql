-- Unless column asset.path_name: databases that were created after 0.1.0 and before 0020 have it.
-- The name in the path under which an app stored a file; empty for other uploads.
alter table asset add column path_name text not null default '';
