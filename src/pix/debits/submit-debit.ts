import { type Day, endOfDay } from '#core/values/day.ts';
import { cents } from '#core/values/money.ts';
import { enqueueAll } from '#platform/jobs/jobs.ts';
import { type Pix, withSharedLockedCustomer } from '../pix.ts';
import { type Debit, PspRefused } from '../psp/index.ts';
import { type DebitRow, markDebitClosed, markDebitPending } from '../store/autopay.ts';
import { type ChargeRow, findCharge, markDiscarded, markFoundAtPsp } from '../store/charges.ts';
import { createSyncJob, SYNC_ATTEMPTS } from '../tasks.ts';
import { computeNextCheck } from './debit-rules.ts';

/** Requests a stored debit from the PSP, and saves the response. Without a response, reconciliation reads the debit later. */
export async function submitDebit(
  pix: Pix,
  charge: ChargeRow,
  debit: DebitRow,
  recId: string,
  { inDoubt }: { inDoubt: boolean },
): Promise<void> {
  try {
    const response = await pix.psp().putDebit(
      charge.txid,
      {
        recId,
        dueOn: debit.due_on as Day,
        amountCents: cents(charge.value_cents),
        account: pix.account!,
        note: 'Parcela em débito automático',
      },
      { inDoubt },
    );
    pix.failpoint('after-debit-put');
    if (response.kind === 'created') return saveCreatedDebit(pix, charge, debit, response.debit);
    pix.log.error({ txid: charge.txid }, 'the PSP has another debit with our txid');
    await discardDebit(pix, charge, debit);
  } catch (error) {
    if (error instanceof PspRefused) await discardDebit(pix, charge, debit);
    throw error;
  }
}

/** The PSP has not created the debit, so its week may get another one. Reconciliation closes a debit that was cancelled meanwhile. */
async function discardDebit(pix: Pix, charge: ChargeRow, debit: DebitRow): Promise<void> {
  if (await markDiscarded(pix.db, charge)) await markDebitClosed(pix.db, debit);
}

/** Saves that the PSP has created the debit. If it was cancelled meanwhile, a job removes it at the PSP. */
export async function saveCreatedDebit(pix: Pix, charge: ChargeRow, debit: DebitRow, { attempts }: Debit) {
  const attemptOn = attempts[0]?.day ?? (debit.attempt_on as Day);
  await withSharedLockedCustomer(pix, charge.customer_id, async (tx) => {
    const isPending = await markDebitPending(tx, debit, {
      attemptOn,
      heldUntil: new Date(endOfDay(attemptOn)),
      checkAt: computeNextCheck(attemptOn, pix.clock.now()),
    });
    if (isPending) return;
    const { status } = (await findCharge(tx, charge.customer_id, charge.id))!;
    if (status !== 'cancelled' && status !== 'discarded') return;
    await markFoundAtPsp(tx, charge);
    await enqueueAll(tx, [createSyncJob(charge.txid)], SYNC_ATTEMPTS);
  });
}
