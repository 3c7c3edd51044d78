import { type Db, sql } from '#platform/database/db.ts';
import {
  BATCH_CALLERS,
  type Buyer,
  countPayments,
  createBuyers,
  PAYERS,
  PAYMENTS_PER_CALLBACK,
  post,
  sellToCustomer,
  sendCallback,
} from './callers.ts';
import { createPostgresMeter, createProcessMeter } from './cpu.ts';
import { generateCustomerHistories } from './customer-histories.ts';
import { STATEMENT_COUNTING_SETTINGS } from './database-work.ts';
import { DEBITS_ENV, measureDebits } from './debits.ts';
import { openBenchDb, withBenchDatabase } from './environment.ts';
import { createTables, type Service, startService, startSimulator } from './processes.ts';
import { printResults, storeResults } from './results.ts';
import { chunk, countRequiredItems, openScenarioMeter, type Scenario } from './scenarios.ts';

const INSTALLMENTS_PER_PURCHASE = 8;

/** An installment to charge and settle. Scenarios set the optional fields, which later scenarios read. */
type SoldInstallment = {
  id: string;
  /** The access token of the customer. */
  token: string;
  /** The id of the charge, set by the charge scenario. */
  txid?: string;
  /** The payment that the simulator reports, set by `simulatePayments`. */
  payment?: { endToEndId: string; paidAt: string };
};

/**
 * Measures charges, settlements and autopay relative to plain inserts of one row in the same run. The PSP is the simulator, which runs in a
 * separate process and has its tables in the same database.
 */
export async function runPixBench(): Promise<boolean> {
  return withBenchDatabase(async ({ url: databaseUrl }) => {
    const db = openBenchDb(databaseUrl, { timeoutMs: 60_000 });
    await createTables(databaseUrl);
    // The bench itself sends the callbacks. Those of the simulator would go to the service that has just stopped, and be retried.
    await db.run(sql`delete from psp_sim_webhooks`);
    // Fill the tables, so that query plans are like those of a service that has been running for a while.
    await generateCustomerHistories(databaseUrl);
    const simulator = await startSimulator(databaseUrl);
    const service = await startService({ DATABASE_URL: databaseUrl, ...simulator.env, ...DEBITS_ENV });
    const cpuMeters = {
      service: createProcessMeter(service.pid),
      PostgreSQL: await createPostgresMeter(db),
      simulator: createProcessMeter(simulator.pid),
    };
    const measure = await openScenarioMeter('pix', { db, databaseUrl, service, cpuMeters });
    try {
      const { buyers, installments } = await sellInstallments(db, databaseUrl, 2 * countRequiredItems());
      const halfCount = installments.length / 2;
      const results = [
        ...(await measure(createChargeScenario(service, installments))),
        ...(await measure(
          createSettlementScenario(service, db, {
            installments: installments.slice(0, halfCount),
            paymentsPerCallback: PAYMENTS_PER_CALLBACK,
          }),
        )),
        ...(await measure(
          createSettlementScenario(service, db, {
            installments: installments.slice(halfCount),
            paymentsPerCallback: 1,
          }),
        )),
        ...(await measureDebits(service, db, buyers, measure)),
      ];
      printResults('pix', results);
      storeResults('pix', results);
      return true;
    } finally {
      await measure.close();
      await service.stop();
      await simulator.stop();
      await db.close();
    }
  }, STATEMENT_COUNTING_SETTINGS);
}

/** Sells a purchase to each of several new customers. Returns the installments in random order, because concurrent charges of one customer wait for the same lock. */
export async function sellInstallments(
  db: Db,
  databaseUrl: string,
  installmentCount: number,
): Promise<{ buyers: Buyer[]; installments: SoldInstallment[] }> {
  const buyerCount = Math.ceil(installmentCount / INSTALLMENTS_PER_PURCHASE);
  const buyers = await createBuyers(db, databaseUrl, buyerCount);
  const installments: SoldInstallment[] = [];
  for (const { phone, token } of buyers) {
    const terms = { amount: 800, installments: INSTALLMENTS_PER_PURCHASE };
    const purchase = await sellToCustomer(db, phone, terms);
    for (const { id } of purchase.installments) installments.push({ id: id!, token });
  }
  // The last characters of an id are random.
  const getSortKey = ({ id }: SoldInstallment) => id.slice(-8);
  return {
    buyers,
    installments: installments.toSorted((a, b) => getSortKey(a).localeCompare(getSortKey(b))),
  };
}

export const createChargeScenario = (
  service: Service,
  installments: readonly SoldInstallment[],
): Scenario<SoldInstallment> => ({
  name: 'charge',
  isPrerequisite: true,
  items: installments,
  callers: PAYERS,
  perform: async (installment) => {
    const url = `${service.url}/wallet/installments/${installment.id}/pix`;
    const options = { headers: { 'x-token': installment.token }, expectedStatus: 201 };
    const charge = JSON.parse(await post(url, { type: 'settle' }, options)) as { txid: string };
    installment.txid = charge.txid;
  },
});

/**
 * Measures how the service settles payments that callbacks report. The payments of a round are written to the simulator immediately before
 * the round: a minute later the reconciliation job would find them without a callback.
 */
export const createSettlementScenario = (
  service: Service,
  db: Db,
  {
    installments,
    paymentsPerCallback,
  }: { installments: readonly SoldInstallment[]; paymentsPerCallback: number },
): Scenario<readonly SoldInstallment[]> => ({
  name: `settlement, ${paymentsPerCallback} per callback`,
  items: chunk(installments, paymentsPerCallback),
  countItemOperations: (paidInstallments) => paidInstallments.length,
  callers: paymentsPerCallback === 1 ? PAYERS : BATCH_CALLERS,
  prepare: (batches) => simulatePayments(db, batches.flat()),
  perform: (paidInstallments) =>
    sendCallback(service.url, 'pix', {
      pix: paidInstallments.map(({ txid, payment }) => ({
        txid,
        endToEndId: payment!.endToEndId,
        horario: payment!.paidAt,
      })),
    }),
  countCompleted: () => countPayments(db),
});

/** Writes payments of charged installments to the tables of the simulator, a millisecond apart. */
async function simulatePayments(db: Db, installments: readonly SoldInstallment[]): Promise<void> {
  const now = Date.now();
  const payments = installments.map((installment, i) => {
    const payment = {
      endToEndId: `E99900001${installment.txid!.slice(0, 23)}`,
      paidAt: new Date(now + i - installments.length).toISOString(),
    };
    installment.payment = payment;
    return { txid: installment.txid!, ...payment };
  });
  await db.run(sql`
    with paid_charges as (
      update psp_sim_charges set status = 'CONCLUIDA'
      from unnest(${payments.map(({ txid }) => txid)}::text[], ${payments.map(({ endToEndId }) => endToEndId)}::text[],
                  ${payments.map(({ paidAt }) => paidAt)}::timestamptz[]) as payment (txid, end_to_end_id, paid_at)
      where psp_sim_charges.txid = payment.txid
      returning payment.end_to_end_id, payment.txid, psp_sim_charges.terms, payment.paid_at)
    insert into psp_sim_pix (end_to_end_id, txid, key, amount_cents, paid_at)
    select end_to_end_id, txid, terms ->> 'chave', replace(terms -> 'valor' ->> 'original', '.', '')::bigint, paid_at
    from paid_charges`);
}
