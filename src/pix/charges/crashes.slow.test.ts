import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from '../../../test/commands.ts';
import { createDemoDatabase } from '../../../test/processes.ts';
import { openServiceProcess } from '../../../test/service-process.ts';

// The process really kills itself with SIGKILL at a failpoint, and another node takes over. See docs/pix.md.
const databaseUrl = await createDemoDatabase();
const serviceProcess = openServiceProcess(databaseUrl);

const listCharges = async (installmentId: string) => {
  const rows = await serviceProcess.queryRows<{ status: string; txid: string; removed: boolean }>(
    `select status, txid, removed_at is not null as removed from pix_charges
     where installment_id = '${installmentId}' order by created_at`,
  );
  return rows;
};
/** Returns the paid amount in centavos and the number of receipts. */
const findPaidAndReceipts = async (installmentId: string) => {
  const [row] = await serviceProcess.queryRows<{ paid: number; receipts: string }>(
    `select paid_cents::int as paid, (select count(*) from receipts r where r.customer_id = i.customer_id and r.installment_id = i.id) as receipts
     from installments i where id = '${installmentId}'`,
  );
  return [row!.paid, Number(row!.receipts)];
};
const waitUntilPaid = (id: string) =>
  serviceProcess.waitUntil(
    'it is paid',
    `exists (select 1 from installments where id = '${id}' and paid_at is not null)`,
  );

/** Starts the process with a failpoint, runs `work`, and waits until the process is dead. */
async function runUntilCrash<T>(failpoint: string, work: () => Promise<T>): Promise<T> {
  await serviceProcess.start({ SEMANA_CRASH_AT: failpoint });
  const result = await work();
  await serviceProcess.waitForKill();
  return result;
}
const newInstallment = async (): Promise<string> =>
  (await serviceProcess.sell({ amount: 10, installments: 1 })).installments[0].id;
/** Requests a charge, whose response is lost in the crash. */
const requestAndCrash = async () => {
  const id = await newInstallment();
  await assert.rejects(serviceProcess.requestCharge(id, { type: 'settle' }));
  return id;
};

test('after a crash when the charge is inserted, the PSP does not have it, and reconciliation discards it', async () => {
  const id = await runUntilCrash('after-charge-written', requestAndCrash);
  await serviceProcess.startSecondNode();
  assert.deepEqual((await listCharges(id))[0]!.status, 'creating');
  await serviceProcess.advanceClock('PT2M');
  await serviceProcess.reconcile();
  await serviceProcess.waitUntil(
    'it is discarded',
    `not exists (select 1 from pix_charges where status = 'creating')`,
  );
  assert.equal((await listCharges(id))[0]!.status, 'discarded');
  assert.equal((await serviceProcess.requestCharge(id, { type: 'settle' })).status, 201);
  await serviceProcess.stopSecondNode();
});

test('after a crash when the PSP has created the charge, the next request or reconciliation completes it', async () => {
  const id = await runUntilCrash('after-psp-put', requestAndCrash);
  await serviceProcess.startSecondNode();
  const repeatedResponse = await serviceProcess.requestCharge(id, { type: 'settle' });
  assert.equal(repeatedResponse.status, 200);
  assert.deepEqual(await listCharges(id), [
    { status: 'pending', txid: repeatedResponse.body.txid, removed: false },
  ]);
  await serviceProcess.stopSecondNode();

  const otherId = await runUntilCrash('after-psp-put', requestAndCrash);
  await serviceProcess.startSecondNode();
  await serviceProcess.advanceClock('PT2M');
  await serviceProcess.reconcile();
  await serviceProcess.waitUntil(
    'it is pending',
    `not exists (select 1 from pix_charges where status = 'creating')`,
  );
  assert.equal((await listCharges(otherId))[0]!.status, 'pending');
  await serviceProcess.stopSecondNode();
});

test('after a crash when the charge is pending, a repeated request returns it', async () => {
  const id = await runUntilCrash('after-charge-pending', requestAndCrash);
  await serviceProcess.startSecondNode();
  assert.equal((await serviceProcess.requestCharge(id, { type: 'settle' })).status, 200);
  assert.equal((await listCharges(id)).length, 1);
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
  const id = await newInstallment();
  const { body } = await serviceProcess.requestCharge(id, { type: 'settle' });
  await payCharge(body.txid);
  return id;
};

for (const point of ['after-notice-stored', 'after-truth-read']) {
  test(`after a crash at ${point}, another node takes over the job within seconds, even if the dead node had started it`, async () => {
    const id = await runUntilCrash(point, payAndCrash);
    // No second callback is sent.
    await serviceProcess.queryRows('delete from psp_sim_deliveries');
    await serviceProcess.startSecondNode();
    await waitUntilPaid(id);
    assert.deepEqual(await findPaidAndReceipts(id), [1000, 1]);
    await serviceProcess.stopSecondNode();
  });
}

for (const point of ['after-truth-read', 'after-settlement']) {
  test(`after a crash at ${point}, the sweep finds the payment of the lost job, and it is applied once`, async () => {
    const id = await runUntilCrash(point, payAndCrash);
    await serviceProcess.startSecondNode();
    await serviceProcess.reconcile();
    await waitUntilPaid(id);
    await serviceProcess.reconcile();
    assert.deepEqual(await findPaidAndReceipts(id), [1000, 1]);
    await serviceProcess.stopSecondNode();
  });
}

test('after a crash when the refund was requested, its status is read, and the money is refunded once', async () => {
  const id = await runUntilCrash('after-refund-asked', async () => {
    const installment = await newInstallment();
    const { body } = await serviceProcess.requestCharge(installment, { type: 'settle' });
    await payCharge(body.txid, { value: 15 });
    return installment;
  });
  await serviceProcess.startSecondNode();
  await serviceProcess.advanceClock('PT2M');
  await serviceProcess.reconcile();
  await serviceProcess.waitUntil(
    'it is returned',
    `exists (select 1 from pix_refunds where status = 'returned')`,
  );
  assert.deepEqual(await findPaidAndReceipts(id), [1000, 1]);
  const refunds = await serviceProcess.queryRows(`select amount_cents::int, status from psp_sim_refunds`);
  assert.deepEqual(refunds, [{ amount_cents: 500, status: 'DEVOLVIDO' }]);
  await serviceProcess.stopSecondNode();
});

test('after a crash when a charge was removed at the PSP, reconciliation records the removal', async () => {
  const id = await runUntilCrash('after-charge-removed', async () => {
    const installment = await newInstallment();
    const charge = await serviceProcess.requestCharge(installment, { type: 'settle_partial', value: 4 });
    assert.equal((await serviceProcess.requestCharge(installment, { type: 'settle' })).status, 201);
    await payCharge(charge.body.txid);
    return installment;
  });
  await serviceProcess.startSecondNode();
  await serviceProcess.advanceClock('PT2M');
  await serviceProcess.reconcile();
  await serviceProcess.waitUntil(
    'it is removed',
    `not exists (select 1 from pix_charges where status = 'cancelled' and removed_at is null)`,
  );
  assert.deepEqual(
    (await listCharges(id)).map(({ status, removed }) => [status, removed]),
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
