import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandLine } from '../../../test/commands.ts';
import { openProcess } from '../../../test/pix-process.ts';
import { newDemoDatabase } from '../../../test/processes.ts';

// The process really kills itself with SIGKILL between two steps, and another node takes over. docs/pix.md describes the same.
const databaseUrl = await newDemoDatabase();
const service = openProcess(databaseUrl);

const statusOf = async (installmentId: string) => {
  const rows = await service.rows<{ status: string; txid: string; removed: boolean }>(
    `select status, txid, removed_at is not null as removed from pix_charges
     where installment_id = '${installmentId}' order by created_at`,
  );
  return rows;
};
const paidOf = async (installmentId: string) => {
  const [row] = await service.rows<{ paid: number; receipts: string }>(
    `select paid_cents::int as paid, (select count(*) from receipts r where r.customer_id = i.customer_id and r.installment_id = i.id) as receipts
     from installments i where id = '${installmentId}'`,
  );
  return [row!.paid, Number(row!.receipts)];
};
const isPaid = (id: string) =>
  service.until(
    'it is paid',
    `exists (select 1 from installments where id = '${id}' and paid_at is not null)`,
  );

/** Starts with a planned crash, does something, and is dead. */
async function crashAt<T>(point: string, act: () => Promise<T>): Promise<T> {
  await service.start({ SEMANA_CRASH_AT: point });
  const result = await act();
  await service.whenDead();
  return result;
}
const newInstallment = async (): Promise<string> =>
  (await service.sell({ amount: 10, installments: 1 })).installments[0].id;
const askAndDie = async () => {
  const id = await newInstallment();
  await assert.rejects(service.ask(id, { type: 'settle' }));
  return id;
};

test('after the charge is written: the PSP has nothing; reconciliation discards it', async () => {
  const id = await crashAt('after-charge-written', askAndDie);
  await service.join();
  assert.deepEqual((await statusOf(id))[0]!.status, 'creating');
  await service.advance('PT2M');
  await service.reconcile();
  await service.until('it is discarded', `not exists (select 1 from pix_charges where status = 'creating')`);
  assert.equal((await statusOf(id))[0]!.status, 'discarded');
  assert.equal((await service.ask(id, { type: 'settle' })).status, 201);
  await service.leave();
});

test('after the PSP made it: the next request finishes the same charge, or reconciliation does', async () => {
  const id = await crashAt('after-psp-put', askAndDie);
  await service.join();
  const again = await service.ask(id, { type: 'settle' });
  assert.equal(again.status, 200);
  assert.deepEqual(await statusOf(id), [{ status: 'pending', txid: again.body.txid, removed: false }]);
  await service.leave();

  const other = await crashAt('after-psp-put', askAndDie);
  await service.join();
  await service.advance('PT2M');
  await service.reconcile();
  await service.until('it is pending', `not exists (select 1 from pix_charges where status = 'creating')`);
  assert.equal((await statusOf(other))[0]!.status, 'pending');
  await service.leave();
});

test('after the charge is pending: asking again answers the same', async () => {
  const id = await crashAt('after-charge-pending', askAndDie);
  await service.join();
  assert.equal((await service.ask(id, { type: 'settle' })).status, 200);
  assert.equal((await statusOf(id)).length, 1);
  await service.leave();
});

/** The simulator is in the same process: it may die before it has answered. */
async function payIn(txid: string, how: Record<string, unknown> = {}): Promise<void> {
  await service.pay(txid, how).catch(() => undefined);
  assert.equal((await service.rows(`select 1 from psp_sim_pix where txid = '${txid}'`)).length, 1);
}

const payAndDie = async () => {
  const id = await newInstallment();
  const { body } = await service.ask(id, { type: 'settle' });
  await payIn(body.txid);
  return id;
};

for (const point of ['after-notice-stored', 'after-truth-read']) {
  test(`${point}: the next node does the job in seconds, also when the dead one had begun it`, async () => {
    const id = await crashAt(point, payAndDie);
    // There is no second notice.
    await service.rows('delete from psp_sim_deliveries');
    await service.join();
    await isPaid(id);
    assert.deepEqual(await paidOf(id), [1000, 1]);
    await service.leave();
  });
}

for (const point of ['after-truth-read', 'after-settlement']) {
  test(`${point}: the sweep finds what the dead job left, and it is applied once`, async () => {
    const id = await crashAt(point, payAndDie);
    await service.join();
    await service.reconcile();
    await isPaid(id);
    await service.reconcile();
    assert.deepEqual(await paidOf(id), [1000, 1]);
    await service.leave();
  });
}

test('after the refund was asked for: it is asked after, and leaves once', async () => {
  const id = await crashAt('after-refund-asked', async () => {
    const installment = await newInstallment();
    const { body } = await service.ask(installment, { type: 'settle' });
    await payIn(body.txid, { value: 15 });
    return installment;
  });
  await service.join();
  await service.advance('PT2M');
  await service.reconcile();
  await service.until('it is returned', `exists (select 1 from pix_refunds where status = 'returned')`);
  assert.deepEqual(await paidOf(id), [1000, 1]);
  const refunds = await service.rows(`select amount_cents::int, status from psp_sim_refunds`);
  assert.deepEqual(refunds, [{ amount_cents: 500, status: 'DEVOLVIDO' }]);
  await service.leave();
});

test('after a charge was removed at the PSP: it is known to be', async () => {
  const id = await crashAt('after-charge-removed', async () => {
    const installment = await newInstallment();
    const part = await service.ask(installment, { type: 'settle_partial', value: 4 });
    assert.equal((await service.ask(installment, { type: 'settle' })).status, 201);
    await payIn(part.body.txid);
    return installment;
  });
  await service.join();
  await service.advance('PT2M');
  await service.reconcile();
  await service.until(
    'it is removed',
    `not exists (select 1 from pix_charges where status = 'cancelled' and removed_at is null)`,
  );
  assert.deepEqual(
    (await statusOf(id)).map(({ status, removed }) => [status, removed]),
    [
      ['paid', false],
      ['cancelled', true],
    ],
  );
  await service.leave();
});

test('after all of it the audit agrees', async () => {
  const { code, stdout, stderr } = await commandLine(['audit'], { DATABASE_URL: databaseUrl });
  assert.equal(code, 0, stdout + stderr);
});
