import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { type Sql, sql } from '#platform/database/db.ts';
import { openService } from './harness.ts';
import { newCustomer } from './shop.ts';

const service = await openService();
const { db } = service;
const { id: customerId } = await newCustomer(service);
const partner = sql`(select min(id) from partners)`;
const now = service.clock.now();

/** How to insert rows into each table; `n` is the row's number, `at` its time. */
const GROWTH: Array<{ table: string; keptDays: number; grow: (at: Sql) => Sql }> = [
  {
    table: 'idempotent_answers',
    keptDays: 1,
    grow: (at) => sql`
      insert into idempotent_answers (partner_id, customer_id, key, request_hash, status, body, about, created_at)
      select ${partner}, '', n::text || ${at}::text, '', 200, '', '{}', ${at} from generate_series(1, 1100) as n`,
  },
  {
    table: 'lead_fingerprints',
    keptDays: 1,
    grow: (at) => sql`
      insert into lead_fingerprints (fingerprint, lead_id, received_at)
      select sha256((n::text || ${at}::text)::bytea), 'lead', ${at} from generate_series(1, 1100) as n`,
  },
  {
    table: 'sessions',
    keptDays: 30,
    grow: (at) => sql`
      insert into sessions (customer_id, id, partner_id, created_at, refresh_hash, refresh_expires_at)
      select ${customerId}, n::text || ${at}::text, ${partner}, ${at}, '', ${at} from generate_series(1, 1100) as n`,
  },
  {
    table: 'known_addresses',
    keptDays: 30,
    grow: (at) => sql`
      insert into known_addresses (address, customer_id, seen_at)
      select sha256((n::text || ${at}::text)::bytea), ${customerId}, ${at} from generate_series(1, 1100) as n`,
  },
  {
    table: 'ended_sessions',
    keptDays: 1,
    grow: (at) => sql`
      insert into ended_sessions (id, ended_at)
      select n::text || ${at}::text, ${at} from generate_series(1, 1100) as n`,
  },
  {
    table: 'messages',
    keptDays: 730,
    grow: (at) => sql`
      insert into messages (customer_id, id, template, status, attempts, created_at, updated_at)
      select ${customerId}, n::text || ${at}::text, 'login_code', 'sent', 1, ${at}, ${at}
      from generate_series(1, 1100) as n`,
  },
  {
    table: 'phone_messages',
    keptDays: 90,
    grow: (at) => sql`
      insert into phone_messages (id, phone_hash, template, status, created_at, updated_at)
      select n::text || ${at}::text, '', 'offer', 'sent', ${at}, ${at} from generate_series(1, 1100) as n`,
  },
  {
    table: 'events',
    keptDays: 90,
    grow: (at) => sql`
      insert into events (customer_id, id, type, data, occurred_at)
      select ${customerId}, n::text || ${at}::text, 'pix.paid', '{}', ${at} from generate_series(1, 1100) as n`,
  },
  {
    table: 'global_events',
    keptDays: 90,
    grow: (at) => sql`
      insert into global_events (id, type, data, occurred_at)
      select n::text || ${at}::text, 'lead.received', '{}', ${at} from generate_series(1, 1100) as n`,
  },
  {
    table: 'partner_events',
    keptDays: 90,
    grow: (at) => sql`
      insert into partner_events (partner_id, id, type, data, occurred_at, unbound)
      select ${partner}, n::text || ${at}::text, 'pix.paid', '{}', ${at}, true from generate_series(1, 1100) as n`,
  },
  {
    table: 'merchant_events',
    keptDays: 2,
    grow: (at) => sql`
      insert into merchant_events (merchant_id, id, type, data, occurred_at)
      select 1, n::text || ${at}::text, 'pix.paid', '{}', ${at} from generate_series(1, 1100) as n`,
  },
  {
    table: 'webhook_deliveries',
    keptDays: 90,
    grow: (at) => sql`
      with made as (
        insert into webhook_endpoints (id, partner_id, url, event_types, created_at, secrets, key_version)
        values (${at}::text, ${partner}, 'http://127.0.0.1:9/', '{}', ${at}, '', 1) returning id)
      insert into webhook_deliveries (endpoint_id, event_id, partner_id, position, type, occurred_at, status)
      select made.id, n::text, ${partner}, n, 'pix.paid', ${at}, 'delivered' from made, generate_series(1, 1100) as n`,
  },
  {
    table: 'message_windows',
    keptDays: 1,
    // Each says itself until when it is needed: those that are not old yet, for another day.
    grow: (at) => sql`
      insert into message_windows (cap, subject, began_at, count, previous, forget_at)
      select 'key', sha256((n::text || ${at}::text)::bytea), ${at}, 1, 0, ${at} + interval '1 day'
      from generate_series(1, 1100) as n`,
  },
  {
    table: 'pix_notices',
    keptDays: 90,
    grow: (at) => sql`
      insert into pix_notices (id, received_at, sealed, psp_ids)
      select n::text || ${at}::text, ${at}, '', '{}' from generate_series(1, 1100) as n`,
  },
  {
    table: 'offers',
    keptDays: 90,
    grow: (at) => sql`
      insert into offers (id, merchant_id, merchant_slug, merchant_name, phone_sealed, phone_hash, amount_cents, installments,
        weekly_rate_ppm, fine_ppm, late_interest_ppm, extension_fee_ppm, extension_days, extension_limit, cashback_ppm,
        merchant_fee_ppm, payout_days, created_at, expires_at, status, closed_at)
      select n::text || ${at}::text, 1, 'x', 'X', '', '', 1000, 1, 0, 0, 0, 0, 7, 2, 0, 0, 2, ${at}, ${at},
        'expired', ${at} from generate_series(1, 1100) as n`,
  },
  {
    table: 'sandbox_messages',
    keptDays: 30,
    grow: (at) => sql`
      insert into sandbox_messages (phone, channel, template, text, sent_at)
      select '+5511999999999', 'sms', 'offer', 'x', ${at} from generate_series(1, 1100) as n`,
  },
  {
    table: 'psp_sim_deliveries',
    keptDays: 30,
    grow: (at) => sql`
      insert into psp_sim_deliveries (url, pix, state, due_at, created_at)
      select 'x', '{}', 'delivered', ${at}, ${at} from generate_series(1, 1100) as n`,
  },
];

const count = async (table: string): Promise<number> =>
  (await db.row<{ count: number }>({
    text: `select count(*) from ${table}`,
    values: [],
    name: `count ${table}`,
  }))!.count;

test('all expired rows are deleted, whatever their number, and no others', async () => {
  const expectedCounts = new Map<string, number>();
  for (const { table, keptDays, grow } of GROWTH) {
    const daysAgo = (days: number) => sql`${new Date(now.getTime() - days * DAY_MS)}::timestamptz`;
    await db.run(grow(daysAgo(keptDays * 0.4)));
    expectedCounts.set(table, await count(table));
    await db.run(grow(daysAgo(keptDays + 1)));
  }
  // Fingerprints are retained for minutes only.
  expectedCounts.set('lead_fingerprints', 0);
  // Of the demo, events of merchants are older than their retention.
  const young = new Date(now.getTime() - 2 * DAY_MS);
  const ofMerchants = sql`select count(*) from merchant_events where occurred_at >= ${young}`;
  expectedCounts.set('merchant_events', (await db.row<{ count: number }>(ofMerchants))!.count);
  await service.runHousekeeping();
  const left = new Map<string, number>();
  for (const { table } of GROWTH) left.set(table, await count(table));
  assert.deepEqual(left, expectedCounts);
});
