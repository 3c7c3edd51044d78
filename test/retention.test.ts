import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { type Sql, sql } from '#platform/database/db.ts';
import { openService } from './harness.ts';
import { newCustomer } from './purchase-driver.ts';

const service = await openService();
const { db } = service;
const { id: customerId } = await newCustomer(service);
/** A row for each row to insert. There are more of them than the deletion takes in one batch. */
const NUMBERS = sql`generate_series(1, 1100) as n`;
const partnerId = sql`(select min(id) from partners)`;
const now = service.clock.now();

/** The retention of each table, and how to insert rows that were created at a given time. */
const TABLES: Array<{ table: string; retentionDays: number; insertRows: (createdAt: Sql) => Sql }> = [
  {
    table: 'idempotent_answers',
    retentionDays: 1,
    insertRows: (createdAt) => sql`
      insert into idempotent_answers (partner_id, customer_id, key, request_hash, status, body, about, created_at)
      select ${partnerId}, '', n::text || ${createdAt}::text, '', 200, '', '{}', ${createdAt} from ${NUMBERS}`,
  },
  {
    table: 'lead_fingerprints',
    retentionDays: 1,
    insertRows: (createdAt) => sql`
      insert into lead_fingerprints (fingerprint, lead_id, received_at)
      select sha256((n::text || ${createdAt}::text)::bytea), 'lead', ${createdAt} from ${NUMBERS}`,
  },
  {
    table: 'sessions',
    retentionDays: 30,
    insertRows: (createdAt) => sql`
      insert into sessions (customer_id, id, partner_id, created_at, refresh_hash, refresh_expires_at)
      select ${customerId}, n::text || ${createdAt}::text, ${partnerId}, ${createdAt}, '', ${createdAt} from ${NUMBERS}`,
  },
  {
    table: 'known_addresses',
    retentionDays: 30,
    insertRows: (createdAt) => sql`
      insert into known_addresses (address, customer_id, seen_at)
      select sha256((n::text || ${createdAt}::text)::bytea), ${customerId}, ${createdAt} from ${NUMBERS}`,
  },
  {
    table: 'ended_sessions',
    retentionDays: 1,
    insertRows: (createdAt) => sql`
      insert into ended_sessions (id, ended_at)
      select n::text || ${createdAt}::text, ${createdAt} from ${NUMBERS}`,
  },
  {
    table: 'messages',
    retentionDays: 730,
    insertRows: (createdAt) => sql`
      insert into messages (customer_id, id, template, status, attempts, created_at, updated_at)
      select ${customerId}, n::text || ${createdAt}::text, 'login_code', 'sent', 1, ${createdAt}, ${createdAt}
      from ${NUMBERS}`,
  },
  {
    table: 'phone_messages',
    retentionDays: 90,
    insertRows: (createdAt) => sql`
      insert into phone_messages (id, phone_hash, template, status, created_at, updated_at)
      select n::text || ${createdAt}::text, '', 'offer', 'sent', ${createdAt}, ${createdAt} from ${NUMBERS}`,
  },
  {
    table: 'events',
    retentionDays: 90,
    insertRows: (createdAt) => sql`
      insert into events (customer_id, id, type, data, occurred_at)
      select ${customerId}, n::text || ${createdAt}::text, 'pix.paid', '{}', ${createdAt} from ${NUMBERS}`,
  },
  {
    table: 'global_events',
    retentionDays: 90,
    insertRows: (createdAt) => sql`
      insert into global_events (id, type, data, occurred_at)
      select n::text || ${createdAt}::text, 'lead.received', '{}', ${createdAt} from ${NUMBERS}`,
  },
  {
    table: 'partner_events',
    retentionDays: 90,
    insertRows: (createdAt) => sql`
      insert into partner_events (partner_id, id, type, data, occurred_at, unbound)
      select ${partnerId}, n::text || ${createdAt}::text, 'pix.paid', '{}', ${createdAt}, true from ${NUMBERS}`,
  },
  {
    table: 'merchant_events',
    retentionDays: 2,
    insertRows: (createdAt) => sql`
      insert into merchant_events (merchant_id, id, type, data, occurred_at)
      select 1, n::text || ${createdAt}::text, 'pix.paid', '{}', ${createdAt} from ${NUMBERS}`,
  },
  {
    table: 'webhook_deliveries',
    retentionDays: 90,
    insertRows: (createdAt) => sql`
      with new_endpoint as (
        insert into webhook_endpoints (id, partner_id, url, event_types, created_at, secrets, key_version)
        values (${createdAt}::text, ${partnerId}, 'http://127.0.0.1:9/', '{}', ${createdAt}, '', 1) returning id)
      insert into webhook_deliveries (endpoint_id, event_id, partner_id, position, type, occurred_at, status)
      select new_endpoint.id, n::text, ${partnerId}, n, 'pix.paid', ${createdAt}, 'delivered' from new_endpoint, ${NUMBERS}`,
  },
  {
    table: 'message_windows',
    retentionDays: 1,
    // Each row has its own time of deletion, here a day after it was created.
    insertRows: (createdAt) => sql`
      insert into message_windows (cap, subject, began_at, count, previous, forget_at)
      select 'key', sha256((n::text || ${createdAt}::text)::bytea), ${createdAt}, 1, 0, ${createdAt} + interval '1 day'
      from ${NUMBERS}`,
  },
  {
    table: 'pix_notices',
    retentionDays: 90,
    insertRows: (createdAt) => sql`
      insert into pix_notices (id, received_at, sealed, psp_ids)
      select n::text || ${createdAt}::text, ${createdAt}, '', '{}' from ${NUMBERS}`,
  },
  {
    table: 'offers',
    retentionDays: 90,
    insertRows: (createdAt) => sql`
      insert into offers (id, merchant_id, merchant_slug, merchant_name, phone_sealed, phone_hash, amount_cents, installments,
        weekly_rate_ppm, fine_ppm, late_interest_ppm, extension_fee_ppm, extension_days, extension_limit, cashback_ppm,
        merchant_fee_ppm, payout_days, created_at, expires_at, status, closed_at)
      select n::text || ${createdAt}::text, 1, 'x', 'X', '', '', 1000, 1, 0, 0, 0, 0, 7, 2, 0, 0, 2, ${createdAt}, ${createdAt},
        'expired', ${createdAt} from ${NUMBERS}`,
  },
  {
    table: 'sandbox_messages',
    retentionDays: 30,
    insertRows: (createdAt) => sql`
      insert into sandbox_messages (phone, channel, template, text, sent_at)
      select '+5511999999999', 'sms', 'offer', 'x', ${createdAt} from ${NUMBERS}`,
  },
  {
    table: 'psp_sim_deliveries',
    retentionDays: 30,
    insertRows: (createdAt) => sql`
      insert into psp_sim_deliveries (url, pix, state, due_at, created_at)
      select 'x', '{}', 'delivered', ${createdAt}, ${createdAt} from ${NUMBERS}`,
  },
];

const countRows = async (table: string): Promise<number> =>
  (await db.row<{ count: number }>({
    text: `select count(*) from ${table}`,
    values: [],
    name: `count ${table}`,
  }))!.count;

test('all expired rows are deleted, whatever their number, and no other rows', async () => {
  const expectedCounts = new Map<string, number>();
  for (const { table, retentionDays, insertRows } of TABLES) {
    const daysAgo = (days: number) => sql`${new Date(now.getTime() - days * DAY_MS)}::timestamptz`;
    const recentTime = daysAgo(retentionDays * 0.4);
    await db.run(insertRows(recentTime));
    expectedCounts.set(table, await countRows(table));
    const expiredTime = daysAgo(retentionDays + 1);
    await db.run(insertRows(expiredTime));
  }
  // Fingerprints are retained only for minutes.
  expectedCounts.set('lead_fingerprints', 0);
  // Events of merchants in the demo data are older than their retention.
  const oldestRetained = new Date(now.getTime() - 2 * DAY_MS);
  const recentMerchantEvents = sql`select count(*) from merchant_events where occurred_at >= ${oldestRetained}`;
  expectedCounts.set('merchant_events', (await db.row<{ count: number }>(recentMerchantEvents))!.count);
  await service.runHousekeeping();
  const countsAfter = new Map<string, number>();
  for (const { table } of TABLES) countsAfter.set(table, await countRows(table));
  assert.deepEqual(countsAfter, expectedCounts);
});
