-- All that went back is compared with the PSP's list, which knows payments and not customers.
create index pix_refunds_by_payment on pix_refunds (end_to_end_id);
