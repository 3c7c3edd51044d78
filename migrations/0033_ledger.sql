-- additive
-- Penalties that were waived have an account of their own.
alter table ledger_entries drop constraint ledger_entries_account_check;
alter table ledger_entries add constraint ledger_entries_account_check check (account in (
  'receivable', 'merchant_payable', 'finance_income', 'penalty_income', 'penalties_waived', 'extension_income', 'pix_clearing',
  'refunds_payable', 'cashback_expense', 'cashback_owed', 'cashback_clearing', 'credit_losses'));
