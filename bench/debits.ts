import { type Db, type Sql, sql } from '#platform/database/db.ts';
import {
  BATCH_CALLERS,
  type Buyer,
  countPayments,
  PAYERS,
  PAYMENTS_PER_CALLBACK,
  post,
  sellToCustomer,
  sendCallback,
} from './callers.ts';
import type { Service } from './processes.ts';
import type { ScenarioResult } from './results.ts';
import { chunk, countRequiredItems, type ScenarioMeter } from './scenarios.ts';

const ORDER = { amount: 100, installments: 4 };
/** With these settings a debit is requested ten days before it is due, so the first debit of a purchase is requested immediately. */
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
  const authorisationResults = await measure({
    name: 'authorisation of autopay',
    isPrerequisite: true,
    items: purchases,
    callers: PAYERS,
    perform: async ({ hash, token }) => {
      const url = `${service.url}/wallet/checkouts/${hash}/autopay`;
      await post(url, {}, { headers: { 'x-token': token }, expectedStatus: 201 });
    },
  });
  const queryCount = async (statement: Sql) => (await db.row<{ count: number }>(statement))!.count;
  const recurrences = await db.rows<{ id: string }>(sql`select id from psp_sim_recs`);
  // The callback reports that the payer has approved the recurrence. The service then requests the first debit.
  const requestResults = await measure({
    name: 'debit requested',
    isPrerequisite: true,
    items: chunk(recurrences, PAYMENTS_PER_CALLBACK),
    countItemOperations: (batch) => batch.length,
    callers: BATCH_CALLERS,
    prepare: async (batches) => {
      const ids = batches.flat().map(({ id }) => id);
      await db.run(sql`update psp_sim_recs set status = 'APROVADA' where id = any(${ids}::text[])`);
    },
    perform: (batch) =>
      sendCallback(service.url, 'rec', { recs: batch.map(({ id }) => ({ idRec: id, status: 'APROVADA' })) }),
    countCompleted: () =>
      queryCount(
        sql`select count(*) from pix_charges where authorisation_id is not null and status = 'pending'`,
      ),
  });
  const debits = await db.rows<{ txid: string }>(sql`select txid from psp_sim_debits`);
  const settlementResults = await measure({
    name: `debit settled, ${PAYMENTS_PER_CALLBACK} per callback`,
    items: chunk(debits, PAYMENTS_PER_CALLBACK),
    countItemOperations: (batch) => batch.length,
    callers: BATCH_CALLERS,
    prepare: (batches) => simulateDebits(db, batches.flat()),
    perform: (batch) =>
      sendCallback(service.url, 'cobr', { cobsr: batch.map(({ txid }) => ({ txid, status: 'CONCLUIDA' })) }),
    countCompleted: () => countPayments(db),
  });
  return [...authorisationResults, ...requestResults, ...settlementResults];
}

/** Writes what the bank does: the first attempt of each debit succeeds, and the amount is paid. */
const simulateDebits = (db: Db, debits: ReadonlyArray<{ txid: string }>) =>
  db.run(sql`
    with settled_debits as (
      update psp_sim_debits
      set status = 'CONCLUIDA', next_try_at = null, attempts = jsonb_set(attempts, '{0,status}', '"PAGA"')
      where txid = any(${debits.map(({ txid }) => txid)}::text[])
      returning txid, amount_cents, attempts -> 0 ->> 'endToEndId' as end_to_end_id)
    insert into psp_sim_pix (end_to_end_id, txid, key, amount_cents, paid_at)
    select end_to_end_id, txid, null, amount_cents, now() from settled_debits`);
