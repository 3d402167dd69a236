-- What a search looks in: the lead's details, the owner's note and the tags, without case and accents. SQL can't fold them on both engines, so
-- the program does. Null until a maintenance task has: the search then reads the other columns.
alter table lead add column search_text text;

-- What that task has to write. An older process may still run during an update, and doesn't remove the text of a visitor who withdraws.
create index lead_search_outdated on lead (id)
  where search_text is null or (withdrawn_at is not null and search_text <> '');
