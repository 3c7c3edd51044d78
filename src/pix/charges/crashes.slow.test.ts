import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from '../../../test/commands.ts';
import { createDemoDatabase } from '../../../test/processes.ts';
import { openServiceProcess } from '../../../test/service-process.ts';

// The process really kills itself with SIGKILL at a failpoint, and another node takes over. See docs/pix.md.
const databaseUrl = await createDemoDatabase();
const serviceProcess = openServiceProcess(databaseUrl);
/** Reconciliation leaves out newer charges and refunds: a request or job may still be working on them. */
const RECONCILIATION_DELAY = 'PT2M';

const listCharges = async (installmentId: string) => {
  const rows = await serviceProcess.queryRows<{ status: string; txid: string; isRemoved: boolean }>(
    `select status, txid, removed_at is not null as "isRemoved" from pix_charges
     where installment_id = '${installmentId}' order by created_at`,
  );
  return rows;
};
/** Asserts that the R$ 10.00 are paid, with one receipt. */
const assertPaidOnce = async (installmentId: string) => {
  const rows = await serviceProcess.queryRows(
    `select paid_cents::int, (select count(*)::int from receipts r
                              where r.customer_id = i.customer_id and r.installment_id = i.id) as receipt_count
     from installments i where id = '${installmentId}'`,
  );
  assert.deepEqual(rows, [{ paid_cents: 1000, receipt_count: 1 }]);
};
const waitUntilPaid = (installmentId: string) =>
  serviceProcess.waitUntil(
    'the installment is paid',
    `exists (select 1 from installments where id = '${installmentId}' and paid_at is not null)`,
  );

/** Starts the process with a failpoint, runs `work`, and waits until the process is dead. */
async function runUntilCrash<T>(failpoint: string, work: () => Promise<T>): Promise<T> {
  await serviceProcess.start({ SEMANA_CRASH_AT: failpoint });
  const result = await work();
  await serviceProcess.waitForKill();
  return result;
}
/** Sells a purchase of R$ 10.00, and returns the id of its installment. */
const createInstallment = async (): Promise<string> =>
  (await serviceProcess.sell({ amount: 10, installments: 1 })).installments[0].id;
/** Requests a charge. The crash of the process interrupts the request. */
const requestAndCrash = async () => {
  const installmentId = await createInstallment();
  await assert.rejects(serviceProcess.requestCharge(installmentId, { type: 'settle' }));
  return installmentId;
};

test('after a crash when the charge is inserted, the PSP does not have it, and reconciliation discards it', async () => {
  const installmentId = await runUntilCrash('after-charge-written', requestAndCrash);
  await serviceProcess.startSecondNode();
  const [chargeBefore] = await listCharges(installmentId);
  assert.equal(chargeBefore!.status, 'creating');
  await serviceProcess.advanceClock(RECONCILIATION_DELAY);
  await serviceProcess.reconcile();
  await serviceProcess.waitUntil(
    'the charge is discarded',
    `not exists (select 1 from pix_charges where status = 'creating')`,
  );
  const [chargeAfter] = await listCharges(installmentId);
  assert.equal(chargeAfter!.status, 'discarded');
  assert.equal((await serviceProcess.requestCharge(installmentId, { type: 'settle' })).status, 201);
  await serviceProcess.stopSecondNode();
});

test('after a crash when the PSP has created the charge, the next request or reconciliation completes it', async () => {
  const installmentId = await runUntilCrash('after-psp-put', requestAndCrash);
  await serviceProcess.startSecondNode();
  const repeatedResponse = await serviceProcess.requestCharge(installmentId, { type: 'settle' });
  assert.equal(repeatedResponse.status, 200);
  assert.deepEqual(await listCharges(installmentId), [
    { status: 'pending', txid: repeatedResponse.body.txid, isRemoved: false },
  ]);
  await serviceProcess.stopSecondNode();

  const otherInstallmentId = await runUntilCrash('after-psp-put', requestAndCrash);
  await serviceProcess.startSecondNode();
  await serviceProcess.advanceClock(RECONCILIATION_DELAY);
  await serviceProcess.reconcile();
  await serviceProcess.waitUntil(
    'the charge is pending',
    `not exists (select 1 from pix_charges where status = 'creating')`,
  );
  const [otherCharge] = await listCharges(otherInstallmentId);
  assert.equal(otherCharge!.status, 'pending');
  await serviceProcess.stopSecondNode();
});

test('after a crash when the charge is pending, a repeated request returns it', async () => {
  const installmentId = await runUntilCrash('after-charge-pending', requestAndCrash);
  await serviceProcess.startSecondNode();
  assert.equal((await serviceProcess.requestCharge(installmentId, { type: 'settle' })).status, 200);
  assert.equal((await listCharges(installmentId)).length, 1);
  await serviceProcess.stopSecondNode();
});

/** The simulator runs in the same process, so it may die before it responds. */
async function payCharge(txid: string, options: Record<string, unknown> = {}): Promise<void> {
  await serviceProcess.payCharge(txid, options).catch(() => undefined);
  assert.equal(
    (await serviceProcess.queryRows(`select 1 from psp_sim_pix where txid = '${txid}'`)).length,
    1,
  );
}

const payAndCrash = async () => {
  const installmentId = await createInstallment();
  const { body } = await serviceProcess.requestCharge(installmentId, { type: 'settle' });
  await payCharge(body.txid);
  return installmentId;
};

for (const point of ['after-notice-stored', 'after-truth-read']) {
  test(`after a crash at ${point}, another node takes over the job within seconds, even if the dead node had started it`, async () => {
    const installmentId = await runUntilCrash(point, payAndCrash);
    // No second callback is sent.
    await serviceProcess.queryRows('delete from psp_sim_deliveries');
    await serviceProcess.startSecondNode();
    await waitUntilPaid(installmentId);
    await assertPaidOnce(installmentId);
    await serviceProcess.stopSecondNode();
  });
}

for (const point of ['after-truth-read', 'after-settlement']) {
  test(`after a crash at ${point}, reconciliation and the job of the dead node apply the payment once`, async () => {
    const installmentId = await runUntilCrash(point, payAndCrash);
    await serviceProcess.startSecondNode();
    await serviceProcess.reconcile();
    await waitUntilPaid(installmentId);
    await serviceProcess.reconcile();
    await assertPaidOnce(installmentId);
    await serviceProcess.stopSecondNode();
  });
}

test('after a crash when the refund was requested, its status is read, and the money is refunded once', async () => {
  const installmentId = await runUntilCrash('after-refund-asked', async () => {
    const newInstallmentId = await createInstallment();
    const { body } = await serviceProcess.requestCharge(newInstallmentId, { type: 'settle' });
    await payCharge(body.txid, { value: 15 });
    return newInstallmentId;
  });
  await serviceProcess.startSecondNode();
  await serviceProcess.advanceClock(RECONCILIATION_DELAY);
  await serviceProcess.reconcile();
  await serviceProcess.waitUntil(
    'the refund is returned',
    `exists (select 1 from pix_refunds where status = 'returned')`,
  );
  await assertPaidOnce(installmentId);
  const refunds = await serviceProcess.queryRows(`select amount_cents::int, status from psp_sim_refunds`);
  assert.deepEqual(refunds, [{ amount_cents: 500, status: 'DEVOLVIDO' }]);
  await serviceProcess.stopSecondNode();
});

test('after a crash when a charge was removed at the PSP, reconciliation records the removal', async () => {
  const installmentId = await runUntilCrash('after-charge-removed', async () => {
    const newInstallmentId = await createInstallment();
    const charge = await serviceProcess.requestCharge(newInstallmentId, { type: 'settle_partial', value: 4 });
    assert.equal((await serviceProcess.requestCharge(newInstallmentId, { type: 'settle' })).status, 201);
    await payCharge(charge.body.txid);
    return newInstallmentId;
  });
  await serviceProcess.startSecondNode();
  await serviceProcess.advanceClock(RECONCILIATION_DELAY);
  await serviceProcess.reconcile();
  await serviceProcess.waitUntil(
    'the charge is removed',
    `not exists (select 1 from pix_charges where status = 'cancelled' and removed_at is null)`,
  );
  assert.deepEqual(
    (await listCharges(installmentId)).map(({ status, isRemoved }) => [status, isRemoved]),
    [
      ['paid', false],
      ['cancelled', true],
    ],
  );
  await serviceProcess.stopSecondNode();
});

test('after all crashes the audit finds nothing', async () => {
  const { code, stdout, stderr } = await runCli(['audit'], { DATABASE_URL: databaseUrl });
  assert.equal(code, 0, stdout + stderr);
});
