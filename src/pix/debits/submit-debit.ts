import { type Day, endOfDay } from '#core/day.ts';
import { cents } from '#core/money.ts';
import { enqueueAll } from '#platform/jobs/jobs.ts';
import { lockedCustomer } from '../locked-customer.ts';
import type { Pix } from '../pix.ts';
import { type Debit, PspRefused } from '../psp/index.ts';
import { type ChargeRow, findCharge, markDiscarded } from '../store/charges.ts';
import { type DebitRow, markClosed, markDebitPending } from '../store/debits.ts';
import { SYNC_ATTEMPTS, syncJob } from '../tasks.ts';
import { nextCheck } from './debit-days.ts';

/** Asks the PSP for a stored debit, and stores the answer. If there is none, reconciliation reads it later. */
export async function submitDebit(
  pix: Pix,
  charge: ChargeRow,
  debit: DebitRow,
  recId: string,
  { inDoubt }: { inDoubt: boolean },
): Promise<void> {
  try {
    const put = await pix.psp().putDebit(
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
    pix.crash('after-debit-put');
    if (put.kind === 'made') return keepDebit(pix, charge, debit, put.debit);
    pix.log.error({ txid: charge.txid }, 'the PSP has another debit under a txid of ours');
    await discard(pix, charge, debit);
  } catch (error) {
    if (error instanceof PspRefused) await discard(pix, charge, debit);
    throw error;
  }
}

/** Nothing was done, or another debit has the week. */
async function discard(pix: Pix, charge: ChargeRow, debit: DebitRow): Promise<void> {
  await markDiscarded(pix.db, charge);
  await markClosed(pix.db, debit);
}

/** The PSP has it. If it was withdrawn meanwhile, it is removed there. */
export async function keepDebit(
  pix: Pix,
  charge: ChargeRow,
  debit: DebitRow,
  { attempts }: Debit,
): Promise<void> {
  const { customer_id } = charge;
  const attemptOn = attempts[0]?.on ?? (debit.attempt_on as Day);
  await lockedCustomer(pix, customer_id, async (tx) => {
    const isPending = await markDebitPending(tx, debit, {
      attemptOn,
      heldUntil: new Date(endOfDay(attemptOn)),
      checkAt: nextCheck(attemptOn, pix.clock.now()),
    });
    const status = isPending ? 'pending' : (await findCharge(tx, customer_id, charge.id))!.status;
    if (status === 'cancelled' || status === 'discarded')
      await enqueueAll(tx, [syncJob(charge.txid)], SYNC_ATTEMPTS);
  });
}
