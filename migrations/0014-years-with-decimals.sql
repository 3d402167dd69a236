-- Years of experience may have decimals, such as 2.5.
alter table card add column years double precision;

update card set years = years_experience;

alter table card drop column years_experience;
