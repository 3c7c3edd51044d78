import { type Db, type Sql, sql } from '#platform/database/db.ts';
import { SANDBOX_PIX } from '../src/pix/settings.ts';
import {
  BATCH_CALLERS,
  countPayments,
  PAYERS,
  PAYMENTS_PER_CALLBACK,
  post,
  sellToCustomer,
} from './callers.ts';
import type { Service } from './processes.ts';
import type { ScenarioResult } from './results.ts';
import { chunk, countRequiredItems, type ScenarioMeter } from './scenarios.ts';

export type Buyer = { phone: string; token: string };

const ORDER = { amount: 100, installments: 4 };
/** Debits are requested up to ten days before they are due, so the first debit of a purchase is requested immediately. */
export const DEBITS_ENV = { AUTOPAY_LEAD_DAYS: '10' };

/**
 * Measures autopay: authorisation requests, debit requests and settled debits. The consent of the payer and the debit by the bank are
 * written directly to the tables of the simulator and are not measured.
 */
export async function measureDebits(
  service: Service,
  db: Db,
  buyers: readonly Buyer[],
  measure: ScenarioMeter,
): Promise<ScenarioResult[]> {
  const purchases: Array<{ hash: string; token: string }> = [];
  while (purchases.length < countRequiredItems())
    for (const { phone, token } of buyers)
      purchases.push({ hash: (await sellToCustomer(db, phone, ORDER)).hash!, token });
  const authorisations = await measure({
    name: 'authorisation of autopay',
    isPrerequisite: true,
    items: purchases,
    callers: PAYERS,
    perform: async ({ hash, token }) => {
      const response = await post(
        `${service.url}/wallet/checkouts/${hash}/autopay`,
        {},
        { 'x-token': token },
      );
      if (response.status !== 201) throw new Error(`${response.status}: ${response.text}`);
    },
  });
  const queryCount = async (statement: Sql) => (await db.row<{ count: number }>(statement))!.count;
  const simulatedRecurrences = await db.rows<{ idRec: string }>(sql`select id as "idRec" from psp_sim_recs`);
  const requestedDebits = await measure({
    name: 'debit requested',
    isPrerequisite: true,
    items: chunk(simulatedRecurrences, PAYMENTS_PER_CALLBACK),
    countItemOperations: (batch) => batch.length,
    callers: BATCH_CALLERS,
    prepare: async (batches) => {
      const ids = batches.flat().map(({ idRec }) => idRec);
      await db.run(sql`update psp_sim_recs set status = 'APROVADA' where id = any(${ids}::text[])`);
    },
    perform: (batch) =>
      sendCallback(service, 'rec', { recs: batch.map(({ idRec }) => ({ idRec, status: 'APROVADA' })) }),
    countCompleted: () =>
      queryCount(
        sql`select count(*) from pix_charges where authorisation_id is not null and status = 'pending'`,
      ),
  });
  const debits = await db.rows<{ txid: string }>(sql`select txid from psp_sim_debits`);
  const settledDebits = await measure({
    name: `debit settled, ${PAYMENTS_PER_CALLBACK} a callback`,
    items: chunk(debits, PAYMENTS_PER_CALLBACK),
    countItemOperations: (batch) => batch.length,
    callers: BATCH_CALLERS,
    prepare: (batches) => simulateDebits(db, batches.flat()),
    perform: (batch) =>
      sendCallback(service, 'cobr', { cobsr: batch.map(({ txid }) => ({ txid, status: 'CONCLUIDA' })) }),
    countCompleted: () => countPayments(db),
  });
  return [...authorisations, ...requestedDebits, ...settledDebits];
}

/** Writes what the bank does: the first attempt of each debit succeeds, and the amount is paid. */
const simulateDebits = (db: Db, debits: ReadonlyArray<{ txid: string }>) =>
  db.run(sql`
    with debited as (
      update psp_sim_debits
      set status = 'CONCLUIDA', next_try_at = null, attempts = jsonb_set(attempts, '{0,status}', '"PAGA"')
      where txid = any(${debits.map(({ txid }) => txid)}::text[])
      returning txid, amount_cents, attempts -> 0 ->> 'endToEndId' as end_to_end_id)
    insert into psp_sim_pix (end_to_end_id, txid, key, amount_cents, paid_at)
    select end_to_end_id, txid, null, amount_cents, now() from debited`);

async function sendCallback(service: Service, path: string, body: object): Promise<void> {
  const response = await post(`${service.url}/psp/callback/${SANDBOX_PIX.callbackSecret}/${path}`, body);
  if (response.status !== 200) throw new Error(`The callback returned ${response.status}.`);
}
