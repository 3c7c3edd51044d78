import { type Db, sql } from '#platform/database/db.ts';
import { SANDBOX_PIX } from '../src/pix/settings.ts';
import {
  countPayments,
  createBenchCustomer,
  PAYERS,
  PAYMENTS_PER_CALLBACK,
  post,
  sellToCustomer,
} from './callers.ts';
import { createPostgresMeter, createProcessMeter } from './cpu.ts';
import { STATEMENT_COUNTING_SETTINGS } from './database-work.ts';
import { type Buyer, DEBITS_ENV, measureDebits } from './debits.ts';
import { openBenchDb, withBenchDatabase } from './environment.ts';
import { type Service, startService, startSimulator } from './processes.ts';
import { printResults, storeResults } from './results.ts';
import { chunk, countRequiredItems, openScenarioMeter, type Scenario } from './scenarios.ts';
import { issueAccessTokens } from './sessions.ts';
import { generateStatements } from './statements.ts';

const INSTALLMENTS = 8;

/** The charge of an installment, and the payment that the simulator reports for it. Fields not known yet are empty. */
type ChargedInstallment = {
  installmentId: string;
  token: string;
  txid: string;
  endToEndId: string;
  paidAt: string;
};

/**
 * Measures charges, settlements and autopay relative to plain inserts of one row in the same run. The PSP is the simulator, which runs in a
 * separate process and has its tables in the same database.
 */
export async function runPixBench(): Promise<boolean> {
  return withBenchDatabase(async ({ url: databaseUrl }) => {
    const db = openBenchDb(databaseUrl, { timeoutMs: 60_000 });
    await (await startService({ DATABASE_URL: databaseUrl })).stop(); // creates the tables
    // Fill the tables, so that query plans are like those of a service that has been running for a while.
    await generateStatements(databaseUrl, () => undefined);
    const simulator = await startSimulator(databaseUrl);
    const service = await startService({ DATABASE_URL: databaseUrl, ...simulator.env, ...DEBITS_ENV });
    const cpuMeters = {
      service: createProcessMeter(service.pid),
      PostgreSQL: await createPostgresMeter(db),
      simulator: createProcessMeter(simulator.pid),
    };
    const measure = await openScenarioMeter('pix', { db, databaseUrl, service, cpuMeters });
    try {
      const { buyers, charges } = await sellInstallments(db, databaseUrl, 2 * countRequiredItems());
      const halfCount = charges.length / 2;
      const results = [
        ...(await measure(createChargeScenario(service, charges))),
        ...(await measure(
          createSettlementScenario(service, db, charges.slice(0, halfCount), PAYMENTS_PER_CALLBACK),
        )),
        ...(await measure(createSettlementScenario(service, db, charges.slice(halfCount), 1))),
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

/** Returns the installments in an order that alternates between customers: charges of one customer wait for the same lock. */
export async function sellInstallments(
  db: Db,
  databaseUrl: string,
  installments: number,
): Promise<{ buyers: Buyer[]; charges: ChargedInstallment[] }> {
  const phones = Array.from(
    { length: Math.ceil(installments / INSTALLMENTS) },
    (_, i) => `+551197${1_000_000 + i}`,
  );
  const ids: string[] = [];
  for (const phone of phones) ids.push(await createBenchCustomer(db, phone));
  const tokens = (await issueAccessTokens(databaseUrl, ids)).map(({ token }) => token);
  const buyers = phones.map((phone, i) => ({ phone, token: tokens[i]! }));
  const charges: ChargedInstallment[] = [];
  for (const { phone, token } of buyers) {
    const purchase = await sellToCustomer(db, phone, { amount: 800, installments: INSTALLMENTS });
    for (const { id } of purchase.installments)
      charges.push({ installmentId: id!, token, txid: '', endToEndId: '', paidAt: '' });
  }
  return {
    buyers,
    charges: charges.toSorted((a, b) => a.installmentId.slice(-8).localeCompare(b.installmentId.slice(-8))),
  };
}

export const createChargeScenario = (
  service: Service,
  charges: readonly ChargedInstallment[],
): Scenario<ChargedInstallment> => ({
  name: 'charge',
  isPrerequisite: true,
  items: charges,
  callers: PAYERS,
  perform: async (charge) => {
    const url = `${service.url}/wallet/installments/${charge.installmentId}/pix`;
    const response = await post(url, { type: 'settle' }, { 'x-token': charge.token });
    if (response.status !== 201) throw new Error(`${response.status}: ${response.text}`);
    charge.txid = (JSON.parse(response.text) as { txid: string }).txid;
  },
});

/**
 * Measures how payments are settled, not how they are made. The payments of a round are written immediately before it: a minute later the
 * reconciliation job would find them without a callback.
 */
export const createSettlementScenario = (
  service: Service,
  db: Db,
  charges: readonly ChargedInstallment[],
  paymentsPerCallback: number,
): Scenario<readonly ChargedInstallment[]> => ({
  name:
    paymentsPerCallback === 1
      ? 'settlement, a callback each'
      : `settlement, ${paymentsPerCallback} a callback`,
  items: chunk(charges, paymentsPerCallback),
  countItemOperations: (payments) => payments.length,
  callers: paymentsPerCallback === 1 ? PAYERS : 2,
  prepare: (callbacks) => simulatePayments(db, callbacks.flat()),
  perform: async (payments) => {
    const url = `${service.url}/psp/callback/${SANDBOX_PIX.callbackSecret}/pix`;
    const response = await post(url, {
      pix: payments.map(({ txid, endToEndId, paidAt }) => ({ txid, endToEndId, horario: paidAt })),
    });
    if (response.status !== 200) throw new Error(`The callback returned ${response.status}.`);
  },
  countCompleted: () => countPayments(db),
});

/** Writes payments to the tables of the simulator, a millisecond apart. */
async function simulatePayments(db: Db, charges: readonly ChargedInstallment[]): Promise<void> {
  const now = Date.now();
  for (const [i, charge] of charges.entries()) {
    charge.endToEndId = `E99900001${charge.txid.slice(0, 23)}`;
    charge.paidAt = new Date(now + i - charges.length).toISOString();
  }
  await db.run(sql`
    with paid as (
      update psp_sim_charges c set status = 'CONCLUIDA'
      from unnest(${charges.map(({ txid }) => txid)}::text[], ${charges.map(({ paidAt }) => paidAt)}::timestamptz[])
           as p (txid, paid_at)
      where c.txid = p.txid returning c.txid, c.terms, p.paid_at)
    insert into psp_sim_pix (end_to_end_id, txid, key, amount_cents, paid_at)
    select 'E99900001' || left(txid, 23), txid, terms ->> 'chave', (replace(terms -> 'valor' ->> 'original', '.', ''))::bigint,
           paid_at
    from paid`);
}
