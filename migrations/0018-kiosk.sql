-- What the page of a kiosk link says above the form; "" for the usual heading.
alter table kiosk_device add column heading text not null default '';
