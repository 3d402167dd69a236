-- After which id a file of the sitemap starts; the first file of a section has no row.
create table sitemap_file (
  -- profiles or cards
  section text not null,
  start text not null,
  primary key (section, start)
);
