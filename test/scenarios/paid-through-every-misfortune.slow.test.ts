import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine } from '../commands.ts';
import { copyDemoDatabase } from '../processes.ts';
import { openServiceProcess, type ProcessResponse } from '../service-process.ts';

/**
 * A purchase in eight installments, paid over weeks by all four types and by debits, which are authorised and ended at random, with
 * every fault of the PSP and the service killed repeatedly at random points. At the end every centavo that the PSP says was paid
 * was applied once or refunded once. SCENARIO_MS=600000 SCENARIO_KILLS=80 SCENARIO_KILL_CHANCE=0.9 makes it longer, and worse.
 */
const SEED = Number(process.env.SCENARIO_SEED ?? Date.now() % 1_000_000);
const INSTALLMENTS = 8;
const MAX_KILLS = Number(process.env.SCENARIO_KILLS ?? 7);
const KILL_CHANCE = Number(process.env.SCENARIO_KILL_CHANCE ?? 0.3);
/** How long faults and kills go on; longer on a machine so slow that hardly anything was paid. */
const MISFORTUNE_MS = Number(process.env.SCENARIO_MS ?? 15_000);
const FEWEST_PAYMENTS = 6;
const FEWEST_KILLS = 2;
const FEWEST_TYPES = 3;
const TYPES = ['settle', 'settle_with_penalty', 'settle_partial', 'extend'] as const;

const databaseUrl = await copyDemoDatabase();
const serviceProcess = openServiceProcess(databaseUrl, { PSP_TIMEOUT_MS: '400' });
const chance = openChance(SEED);
const pick = <T>(all: readonly T[]): T => all[Math.floor(chance() * all.length)]!;

const MISBEHAVIOURS: Array<Record<string, unknown>> = [
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

let kills = 0;
let restarting: Promise<void> | undefined;

/** Kills the service after a random delay, and starts it again. */
function killSoon(): void {
  if (restarting || kills >= MAX_KILLS) return;
  kills += 1;
  restarting = sleep(chance() * 250)
    .then(() => serviceProcess.killProcess())
    .then(() => serviceProcess.start())
    .finally(() => {
      restarting = undefined;
    });
}

/** Retries until there is an answer. */
async function insist(
  act: () => Promise<ProcessResponse>,
  isDone: (reply: ProcessResponse) => boolean,
): Promise<ProcessResponse | undefined> {
  for (let i = 0; i < 12; i++) {
    await restarting;
    const reply = await act().catch(() => undefined); // killed under way
    if (reply?.status === 401)
      await serviceProcess.logIn().catch(() => undefined); // killed under way
    else if (reply && isDone(reply)) return reply;
    await sleep(50);
  }
  return undefined;
}

const answered = ({ status }: ProcessResponse) => status < 500;

/** Debits are switched on, answered by the bank and switched off at random; any of it may be refused. */
async function touchAutopay(hash: string): Promise<void> {
  const path = `/wallet/checkouts/${hash}/autopay`;
  if (chance() < 0.2) await insist(() => serviceProcess.call('front', 'DELETE', path), answered);
  const first = chance() < 0.3;
  const response = await insist(
    () => serviceProcess.call('front', 'POST', path, { body: { first } }),
    answered,
  );
  if (!response?.body?.id) return;
  if (chance() < KILL_CHANCE) killSoon();
  const answer = pick(['authorise', 'authorise', 'authorise', 'refuse']);
  const bankPath = `/sandbox/autopay/${response.body.id}`;
  await insist(() => serviceProcess.call('staff', 'POST', `${bankPath}/${answer}`), answered);
  if (chance() < 0.1)
    await insist(() => serviceProcess.call('staff', 'POST', `${bankPath}/cancel`), answered);
}

test(`every paid centavo is applied once or refunded once (SCENARIO_SEED=${SEED})`, async () => {
  await serviceProcess.start();
  const { hash, installments } = await serviceProcess.sell({ amount: 400, installments: INSTALLMENTS });
  const ids: string[] = installments.map(({ id }: { id: string }) => id);
  const startedAtMs = Date.now();
  const tried = new Set<string>();

  let payments = 0;
  const isEnough = () =>
    Date.now() - startedAtMs > MISFORTUNE_MS &&
    payments >= FEWEST_PAYMENTS &&
    kills >= FEWEST_KILLS &&
    tried.size >= FEWEST_TYPES;
  for (let step = 0; step < 60 && !isEnough(); step++) {
    const faults = MISBEHAVIOURS[step % MISBEHAVIOURS.length]!;
    await insist(
      () => serviceProcess.call('staff', 'PUT', '/sandbox/psp/faults', { body: faults }),
      answered,
    );
    if (chance() < KILL_CHANCE) killSoon();

    if (step % 4 === 0) await touchAutopay(hash);
    const id = ids[Math.floor(step / 6) % ids.length]!;
    const untried = TYPES.filter((type) => !tried.has(type));
    const type = pick(untried.length > 0 && step % 2 === 0 ? untried : TYPES);
    const chargeInput = { type, ...(type === 'settle_partial' && { value: pick([5, 10, 17.5]) }) };
    const response = await insist(
      () => serviceProcess.requestCharge(id, chargeInput, { 'idempotency-key': `step ${step}` }),
      answered,
    );
    if (response?.body?.txid) {
      tried.add(type);
      if (chance() < KILL_CHANCE) killSoon();
      const { txid } = response.body;
      const answer = await insist(() => serviceProcess.payCharge(txid), answered);
      if (answer?.status === 201) payments += 1;
      // As careless banks do.
      if (chance() < 0.2) await insist(() => serviceProcess.payCharge(txid, { force: true }), answered);
      const part = pick([{}, { value: 2.5 }]);
      if (chance() < 0.2)
        await insist(
          () => serviceProcess.call('staff', 'POST', `/sandbox/pix/${txid}/reverse`, { body: part }),
          answered,
        );
    }
    if (step % 3 === 2) {
      if (chance() < KILL_CHANCE) killSoon();
      await insist(
        () => serviceProcess.call('staff', 'POST', '/sandbox/clock', { body: { advance: 'P2D' } }),
        answered,
      );
    }
  }
  await restarting;

  // The faults end, and reconciliation runs.
  await serviceProcess.setPspFaults({});
  for (const wait of ['PT5M', 'PT1H', 'PT12H', 'P2D', 'P9D', 'PT5M']) {
    await serviceProcess.advanceClock(wait);
    await serviceProcess.reconcile();
    await sleep(700);
  }
  await serviceProcess.reconcile();
  await serviceProcess.waitUntil(
    'nothing is under way',
    `not exists (select 1 from pix_refunds where status in ('asked', 'processing'))
     and not exists (select 1 from pix_charges where status = 'creating')`,
  );

  const audit = await commandLine(['audit'], { DATABASE_URL: databaseUrl });
  assert.equal(audit.code, 0, audit.stdout + audit.stderr);
  const reportedPayments = await serviceProcess.queryRows<{
    end_to_end_id: string;
    amount: number;
    back: number;
  }>(
    `select p.end_to_end_id, p.amount_cents::int as amount,
            coalesce((select sum(r.amount_cents) from psp_sim_refunds r
                      where r.end_to_end_id = p.end_to_end_id and r.status = 'DEVOLVIDO'), 0)::int as back
     from psp_sim_pix p order by 1`,
  );
  const known = await serviceProcess.queryRows<{ end_to_end_id: string; amount: number; back: number }>(
    `select p.end_to_end_id, p.amount_cents::int as amount,
            coalesce((select sum(r.amount_cents) from pix_refunds r
                      where r.customer_id = p.customer_id and r.end_to_end_id = p.end_to_end_id and r.status = 'returned'), 0)::int as back
     from pix_payments p order by 1`,
  );
  assert.deepEqual(known, reportedPayments, 'payment by payment, and what went back of each');
  const applied = await serviceProcess.queryRows<{ applied: number; excess: number }>(
    `select coalesce(sum(interest_cents + fine_cents + principal_cents + fee_cents)
                     filter (where reversed_at is null), 0)::int as applied,
            coalesce(sum(excess_cents) filter (where reversed_at is null), 0)::int as excess
     from receipts where checkout_hash = '${hash}'`,
  );
  const total = (column: 'amount' | 'back') => reportedPayments.reduce((sum, row) => sum + row[column], 0);
  assert.equal(applied[0]!.applied + total('back'), total('amount'), 'applied once or refunded once');
  assert.equal(applied[0]!.excess, 0, 'nothing that was too much is left here');
  assert.ok(
    reportedPayments.length >= 5 && kills >= FEWEST_KILLS && tried.size >= FEWEST_TYPES,
    `${reportedPayments.length} payments, ${kills} kills, ${[...tried].join(', ')}`,
  );
  process.stdout.write(`${kills} kills, ${reportedPayments.length} payments\n`);
  await serviceProcess.killProcess();
});

/** The same random numbers for the same seed; their effects still depend on timing. */
function openChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
