-- How a card looks. accent: '' for the theme's own color, the id of a preset, or a color such as '#3a5f8c'.
alter table card add column accent text not null default '';

alter table card add column layout text not null default 'classic';

-- 'light', 'dark', or '' for the profile's theme.
alter table card add column paper text not null default '';
