import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, sql } from '#platform/database/db.ts';
import { SANDBOX_PIX } from '../src/pix/settings.ts';
import {
  countPayments,
  IN_ONE_NOTICE,
  inParallel,
  type Measured,
  type Meters,
  measured,
  PAYERS,
  post,
  type Running,
  sellTo,
} from './rates.ts';

const ORDER = { amount: 100, installments: 4 };
/** A debit is asked for at most ten days before it is due: the first one of a purchase at once. */
export const DEBITS_ENV = { AUTOPAY_LEAD_DAYS: '10' };

/**
 * Autopay beside charges: authorisations asked for, debits asked for, debits settled. Each customer buys once more. That the payer
 * says yes, and that the bank debits, is written into the simulator's tables and not measured.
 */
export async function measureDebits(
  service: Running,
  db: Db,
  { phones, tokens }: { phones: string[]; tokens: string[] },
  meters: Meters,
): Promise<Measured[]> {
  const purchases: Array<{ hash: string; token: string }> = [];
  for (const [i, phone] of phones.entries())
    purchases.push({ hash: (await sellTo(db, phone, ORDER)).hash!, token: tokens[i]! });
  const count = purchases.length;
  const ask = () =>
    inParallel(purchases, PAYERS, async ({ hash, token }) => {
      const url = `${service.url}/wallet/checkouts/${hash}/autopay`;
      const response = await post(url, {}, { 'x-token': token });
      if (response.status !== 201) throw new Error(`${response.status}: ${response.text}`);
    });
  const authorisations = await measured('authorisations', service, count, ask, meters);

  const recs = await approveAll(db);
  const askForDebits = async () => {
    await notifyAll(service, 'rec', 'recs', recs);
    await until(
      db,
      sql`select count(*) from pix_charges where authorisation_id is not null and status = 'pending'`,
      count,
    );
  };
  const asked = await measured('debits asked for', service, count, askForDebits, meters);

  const debits = await debitAll(db);
  const before = await countPayments(db);
  const settle = async () => {
    await notifyAll(service, 'cobr', 'cobsr', debits);
    await until(db, sql`select count(*) from pix_payments`, before + count);
  };
  const settled = await measured(`debits settled, ${IN_ONE_NOTICE} a notice`, service, count, settle, meters);
  return [authorisations, asked, settled];
}

async function until(db: Db, counted: ReturnType<typeof sql>, count: number): Promise<void> {
  while ((await db.row<{ count: number }>(counted))!.count < count) await sleep(50);
}

const approveAll = (db: Db) =>
  db.rows(sql`update psp_sim_recs set status = 'APROVADA' returning id as "idRec", status`);

const debitAll = (db: Db) =>
  db.rows(sql`
    with debited as (
      update psp_sim_debits
      set status = 'CONCLUIDA', next_try_at = null, attempts = jsonb_set(attempts, '{0,status}', '"PAGA"')
      returning txid, status, amount_cents, attempts -> 0 ->> 'endToEndId' as end_to_end_id),
    paid as (
      insert into psp_sim_pix (end_to_end_id, txid, key, amount_cents, paid_at)
      select end_to_end_id, txid, null, amount_cents, now() from debited)
    select txid, status from debited`);

async function notifyAll(service: Running, path: string, name: string, named: unknown[]): Promise<void> {
  const url = `${service.url}/psp/callback/${SANDBOX_PIX.callbackSecret}/${path}`;
  for (let i = 0; i < named.length; i += IN_ONE_NOTICE) {
    const response = await post(url, { [name]: named.slice(i, i + IN_ONE_NOTICE) });
    if (response.status !== 200) throw new Error(`the callback answered ${response.status}`);
  }
}
