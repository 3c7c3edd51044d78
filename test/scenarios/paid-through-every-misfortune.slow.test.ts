import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCli } from '../commands.ts';
import { createDemoDatabase } from '../processes.ts';
import { openServiceProcess, type ProcessResponse } from '../service-process.ts';

/**
 * A purchase in eight installments is paid over weeks by charges of all four types and by debits, whose authorisation starts and
 * ends at random. The PSP has every fault, and the service is killed repeatedly at random points. At the end every centavo that
 * the PSP reports as paid was applied once or refunded once. SCENARIO_MS=600000 SCENARIO_KILLS=80 SCENARIO_KILL_CHANCE=0.9 makes
 * the test longer and harsher.
 */
const SEED = Number(process.env.SCENARIO_SEED ?? Date.now() % 1_000_000);
const INSTALLMENTS = 8;
const MAX_KILLS = Number(process.env.SCENARIO_KILLS ?? 7);
const KILL_CHANCE = Number(process.env.SCENARIO_KILL_CHANCE ?? 0.3);
/** The minimum duration of faults and kills. They last longer on a machine so slow that hardly any payment was made. */
const MISFORTUNE_MS = Number(process.env.SCENARIO_MS ?? 15_000);
const MAX_ATTEMPTS = 12;
const MAX_STEPS = 60;
const MAX_KILL_DELAY_MS = 250;
const MIN_PAYMENTS = 6;
const MIN_KILLS = 2;
const MIN_TYPES = 3;
const TYPES = ['settle', 'settle_with_penalty', 'settle_partial', 'extend'] as const;

const databaseUrl = await createDemoDatabase();
const serviceProcess = openServiceProcess(databaseUrl, { PSP_TIMEOUT_MS: '400' });
const random = createRandom(SEED);
const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!;

const PSP_FAULTS: Array<Record<string, unknown>> = [
  { error_rate: 0.4 },
  { drop_after_write: 0.5 },
  { timeout_rate: 0.2 },
  { token_errors: 0.3 },
  { latency_ms: 60, notify: 'twice' },
  { notify: 'late', notify_delay_ms: 300 },
  { notify: 'shuffled', notify_delay_ms: 300, error_rate: 0.2 },
  { notify: 'never' },
  { wrong_amount: 3.21 },
  { wrong_amount: -1.5, notify: 'twice' },
  { refund: 'stuck', wrong_amount: 2 },
  { refund: 'fails', wrong_amount: 2 },
  { debits: 'no_money', notify: 'late', notify_delay_ms: 200 },
  { debits: 'cap', drop_after_write: 0.3 },
  { debits: 'silent', error_rate: 0.2 },
  { debits_moved_days: 1 },
  {},
];

let killCount = 0;
let pendingRestart: Promise<void> | undefined;

/** Kills the service after a random delay, and starts it again. */
function killSoon(): void {
  if (pendingRestart || killCount >= MAX_KILLS) return;
  killCount += 1;
  pendingRestart = sleep(random() * MAX_KILL_DELAY_MS)
    .then(() => serviceProcess.killProcess())
    .then(() => serviceProcess.start())
    .finally(() => {
      pendingRestart = undefined;
    });
}

/** Retries the action until its response is accepted. Returns undefined if none of the attempts is. */
async function retryUntil(
  action: () => Promise<ProcessResponse>,
  isDone: (response: ProcessResponse) => boolean,
): Promise<ProcessResponse | undefined> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    await pendingRestart;
    const response = await action().catch(() => undefined); // the service was killed during the call
    if (response?.status === 401)
      await serviceProcess.logIn().catch(() => undefined); // the service was killed during the call
    else if (response && isDone(response)) return response;
    await sleep(50);
  }
  return undefined;
}

const hasNoServerError = ({ status }: ProcessResponse) => status < 500;

/** Starts, decides and ends the authorisation of debits at random; each of these calls may be refused. */
async function changeAutopay(hash: string): Promise<void> {
  const path = `/wallet/checkouts/${hash}/autopay`;
  if (random() < 0.2)
    await retryUntil(() => serviceProcess.call('partner', 'DELETE', path), hasNoServerError);
  const paysFirstInstallmentNow = random() < 0.3;
  const response = await retryUntil(
    () => serviceProcess.call('partner', 'POST', path, { body: { first: paysFirstInstallmentNow } }),
    hasNoServerError,
  );
  if (!response?.body?.id) return;
  if (random() < KILL_CHANCE) killSoon();
  const decision = pick(['authorise', 'authorise', 'authorise', 'refuse']);
  const bankPath = `/sandbox/autopay/${response.body.id}`;
  await retryUntil(() => serviceProcess.call('staff', 'POST', `${bankPath}/${decision}`), hasNoServerError);
  if (random() < 0.1)
    await retryUntil(() => serviceProcess.call('staff', 'POST', `${bankPath}/cancel`), hasNoServerError);
}

test(`every paid centavo is applied once or refunded once (SCENARIO_SEED=${SEED})`, async () => {
  await serviceProcess.start();
  const { hash, installments } = await serviceProcess.sell({ amount: 400, installments: INSTALLMENTS });
  const installmentIds: string[] = installments.map(({ id }: { id: string }) => id);
  const startedAtMs = Date.now();
  const paidTypes = new Set<string>();

  let paymentCount = 0;
  const areMinimumsReached = () =>
    Date.now() - startedAtMs > MISFORTUNE_MS &&
    paymentCount >= MIN_PAYMENTS &&
    killCount >= MIN_KILLS &&
    paidTypes.size >= MIN_TYPES;
  for (let step = 0; step < MAX_STEPS && !areMinimumsReached(); step++) {
    const faults = PSP_FAULTS[step % PSP_FAULTS.length]!;
    await retryUntil(
      () => serviceProcess.call('staff', 'PUT', '/sandbox/psp/faults', { body: faults }),
      hasNoServerError,
    );
    if (random() < KILL_CHANCE) killSoon();

    if (step % 4 === 0) await changeAutopay(hash);
    const installmentId = installmentIds[Math.floor(step / 6) % installmentIds.length]!;
    const unpaidTypes = TYPES.filter((type) => !paidTypes.has(type));
    const type = pick(unpaidTypes.length > 0 && step % 2 === 0 ? unpaidTypes : TYPES);
    const chargeInput = { type, ...(type === 'settle_partial' && { value: pick([5, 10, 17.5]) }) };
    const response = await retryUntil(
      () => serviceProcess.requestCharge(installmentId, chargeInput, { 'idempotency-key': `step ${step}` }),
      hasNoServerError,
    );
    if (response?.body?.txid) {
      paidTypes.add(type);
      if (random() < KILL_CHANCE) killSoon();
      const { txid } = response.body;
      const payResponse = await retryUntil(() => serviceProcess.payCharge(txid), hasNoServerError);
      if (payResponse?.status === 201) paymentCount += 1;
      // A careless bank pays a charge twice.
      if (random() < 0.2)
        await retryUntil(() => serviceProcess.payCharge(txid, { force: true }), hasNoServerError);
      const chargebackInput = pick([{}, { value: 2.5 }]);
      if (random() < 0.2)
        await retryUntil(
          () =>
            serviceProcess.call('staff', 'POST', `/sandbox/pix/${txid}/reverse`, { body: chargebackInput }),
          hasNoServerError,
        );
    }
    if (step % 3 === 2) {
      if (random() < KILL_CHANCE) killSoon();
      await retryUntil(
        () => serviceProcess.call('staff', 'POST', '/sandbox/clock', { body: { advance: 'P2D' } }),
        hasNoServerError,
      );
    }
  }
  await pendingRestart;

  // The faults end, and reconciliation runs.
  await serviceProcess.setPspFaults({});
  for (const duration of ['PT5M', 'PT1H', 'PT12H', 'P2D', 'P9D', 'PT5M']) {
    await serviceProcess.advanceClock(duration);
    await serviceProcess.reconcile();
    await sleep(700);
  }
  await serviceProcess.reconcile();
  await serviceProcess.waitUntil(
    'no charge or refund is in progress',
    `not exists (select 1 from pix_refunds where status in ('asked', 'processing'))
     and not exists (select 1 from pix_charges where status = 'creating')`,
  );

  const audit = await runCli(['audit'], { DATABASE_URL: databaseUrl });
  assert.equal(audit.code, 0, audit.stdout + audit.stderr);
  const reportedPayments = await serviceProcess.queryRows<{
    end_to_end_id: string;
    amount: number;
    refunded: number;
  }>(
    `select end_to_end_id, amount_cents::int as amount,
            coalesce((select sum(refund.amount_cents) from psp_sim_refunds refund
                      where refund.end_to_end_id = payment.end_to_end_id and refund.status = 'DEVOLVIDO'), 0)::int as refunded
     from psp_sim_pix payment order by 1`,
  );
  const recordedPayments = await serviceProcess.queryRows<{
    end_to_end_id: string;
    amount: number;
    refunded: number;
  }>(
    `select end_to_end_id, amount_cents::int as amount,
            coalesce((select sum(refund.amount_cents) from pix_refunds refund
                      where refund.customer_id = payment.customer_id and refund.end_to_end_id = payment.end_to_end_id
                        and refund.status = 'returned'), 0)::int as refunded
     from pix_payments payment order by 1`,
  );
  assert.deepEqual(recordedPayments, reportedPayments, 'each payment, with its refunded amount');
  const [receiptSums] = await serviceProcess.queryRows<{ applied: number; excess: number }>(
    `select coalesce(sum(interest_cents + fine_cents + principal_cents + fee_cents)
                     filter (where reversed_at is null), 0)::int as applied,
            coalesce(sum(excess_cents) filter (where reversed_at is null), 0)::int as excess
     from receipts where checkout_hash = '${hash}'`,
  );
  const sumColumn = (column: 'amount' | 'refunded') =>
    reportedPayments.reduce((sum, row) => sum + row[column], 0);
  assert.equal(
    receiptSums!.applied + sumColumn('refunded'),
    sumColumn('amount'),
    'applied once or refunded once',
  );
  assert.equal(receiptSums!.excess, 0, 'every overpaid amount was refunded');
  assert.ok(
    reportedPayments.length >= 5 && killCount >= MIN_KILLS && paidTypes.size >= MIN_TYPES,
    `${reportedPayments.length} payments, ${killCount} kills, ${[...paidTypes].join(', ')}`,
  );
  process.stdout.write(`${killCount} kills, ${reportedPayments.length} payments\n`);
  await serviceProcess.killProcess();
});

/** Returns a generator of random numbers (mulberry32). The same seed gives the same numbers; their effects still depend on timing. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
