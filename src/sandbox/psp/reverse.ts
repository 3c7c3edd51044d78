import { type Cents, cents } from '#core/values/money.ts';
import { randomBase62 } from '#platform/ids.ts';
import { isTxid } from './api/formats.ts';
import { computeRefundableCents } from './api/pix.ts';
import { lockDebit } from './autopay/store.ts';
import { type Bank, newReturnId, withBankTransaction } from './bank.ts';
import { enqueuePixCallback } from './callbacks.ts';
import { lockCharge } from './store/charges.ts';
import { insertRefund, listPixByTxids, lockPix } from './store/pix.ts';

type ReversalResult =
  | { kind: 'reversed'; endToEndId: string; txid: string; refundId: string; amountCents: Cents; at: Date }
  | { kind: 'unknown_charge' }
  /** The charge was not paid, or its payments were returned completely. */
  | { kind: 'nothing_left' }
  | { kind: 'too_much'; remainingCents: Cents };

/**
 * Makes a chargeback after a fraud claim (MED): the payer's bank takes back the rest of the payment, or a part of it, without a
 * request from the receiver.
 */
export async function reverse(bank: Bank, txid: string, requestedCents?: Cents): Promise<ReversalResult> {
  const at = bank.clock.now();
  return withBankTransaction(bank, async (context): Promise<ReversalResult> => {
    const { tx } = context;
    if (!isTxid(txid)) return { kind: 'unknown_charge' };
    const isDebit = (await lockDebit(tx, txid)) !== undefined;
    if (!isDebit && !(await lockCharge(tx, txid))) return { kind: 'unknown_charge' };
    for (const { end_to_end_id: endToEndId } of (await listPixByTxids(tx, [txid])).toReversed()) {
      const pix = (await lockPix(tx, endToEndId))!;
      const remainingCents = cents(computeRefundableCents(pix));
      if (remainingCents === 0) continue;
      const amountCents = requestedCents ?? remainingCents;
      if (amountCents > remainingCents) return { kind: 'too_much', remainingCents };
      const refundId = `MED${randomBase62(29)}`;
      await insertRefund(tx, {
        end_to_end_id: endToEndId,
        id: refundId,
        return_id: newReturnId(at),
        amount_cents: amountCents,
        nature: isDebit ? 'MED_PIX_AUTOMATICO' : 'MED_FRAUDE',
        description: null,
        status: 'DEVOLVIDO',
        requested_at: at,
        settled_at: at,
        settlesAfterMs: null,
        outcome: 'DEVOLVIDO',
      });
      await enqueuePixCallback(context, endToEndId);
      return { kind: 'reversed', endToEndId, txid, refundId, amountCents, at };
    }
    return { kind: 'nothing_left' };
  });
}
