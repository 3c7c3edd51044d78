-- Where the simulated PSP is told to use an end-to-end id twice: the one a payment is told under, if it is not its own.
alter table psp_sim_pix add column told_as text;
