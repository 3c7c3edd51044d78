/** Tables without personal data of customers: each with a reason. */
export const TABLES_WITHOUT_PERSONAL_DATA = new Set([
  ...[
    'installation',
    'key_checks',
    'schema_migrations',
    'rate_windows',
    'channel_health',
    'pix_sweep',
    'signing_keys',
  ],
  // Delivery reports of messages, by the provider's id.
  ...['delivery_reports', 'message_runs'],
  // Counts of messages by key, network and merchant, and of all messages.
  'message_windows',
  // Ids of sessions.
  'ended_sessions',
  // The operator's staff users, partners and content.
  ...['staff_passkeys', 'staff_sessions'],
  // Totals of the acts of each staff user in a day.
  'staff_act_totals',
  // Filters of lists: a filter that names a person is refused.
  'saved_views',
  ...['staff_members', 'partners', 'api_keys', 'categories', 'merchants', 'faq_entries', 'posts'],
  'agreements',
  ...['webhook_endpoints', 'webhook_deliveries', 'partner_feeds'],
  // Sums over all customers.
  ...['ledger_days', 'ledger_closing', 'credit_days', 'credit_day_progress'],
  // The operator's policies, and sums over all customers of a merchant.
  ...['credit_policies', 'merchant_losses'],
  // Merchants' money, by purchase.
  ...['merchant_postings', 'merchant_entries', 'merchant_lines', 'payouts', 'payout_accounts'],
  // Hashes of forms, for ten minutes; events without names; payments of strangers, by the bank's id.
  ...['lead_fingerprints', 'global_events', 'global_event_outbox', 'merchant_events', 'pix_orphans'],
  // Pictures of merchants and posts.
  'media',
  // The sandbox: its clock, and the accounts of its simulated bank.
  ...['sandbox_clock', 'psp_sim_settings', 'psp_sim_charges', 'psp_sim_past_terms', 'psp_sim_locations'],
  ...[
    'psp_sim_pix',
    'psp_sim_refunds',
    'psp_sim_webhooks',
    'psp_sim_deliveries',
    'psp_sim_rec_locations',
    'psp_sim_debits',
  ],
]);
