-- Handles of accounts that were deleted, as hashes keyed with the installation's secret: nobody gets them again, because printed codes
-- still lead there. Nothing else is kept of them, so a row names nobody.
create table retired_handle (
  hash text not null primary key
);
