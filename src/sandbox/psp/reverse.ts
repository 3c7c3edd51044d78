import { type Cents, cents } from '#core/money.ts';
import { randomBase62 } from '#platform/ids.ts';
import { isTxid } from './api/names.ts';
import { leftToRefund } from './api/pix.ts';
import { lockDebit } from './autopay/store.ts';
import { type Bank, newReturnId } from './bank.ts';
import { changeBank } from './bank-change.ts';
import { enqueueNotice } from './notices.ts';
import { lockCharge } from './store/charges.ts';
import { insertRefund, listPixOf, lockPix } from './store/pix.ts';

type Reversed =
  | { kind: 'reversed'; endToEndId: string; txid: string; refundId: string; amountCents: Cents; at: Date }
  | { kind: 'unknown_charge' }
  /** Nothing was paid, or all of it was returned already. */
  | { kind: 'nothing_left' }
  | { kind: 'too_much'; leftCents: Cents };

/**
 * A special refund after a fraud claim (MED): the payer's bank takes back what is left of the payment, or a part of it,
 * without a request from the receiver.
 */
export async function reverse(bank: Bank, txid: string, partCents?: Cents): Promise<Reversed> {
  const at = bank.clock.now();
  return changeBank(bank, async (change): Promise<Reversed> => {
    const { tx } = change;
    if (!isTxid(txid)) return { kind: 'unknown_charge' };
    const isDebit = (await lockDebit(tx, txid)) !== undefined;
    if (!isDebit && !(await lockCharge(tx, txid))) return { kind: 'unknown_charge' };
    for (const { end_to_end_id: endToEndId } of (await listPixOf(tx, [txid])).toReversed()) {
      const pix = (await lockPix(tx, endToEndId))!;
      const leftCents = cents(leftToRefund(pix));
      if (leftCents === 0) continue;
      const amountCents = partCents ?? leftCents;
      if (amountCents > leftCents) return { kind: 'too_much', leftCents };
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
      await enqueueNotice(change, endToEndId);
      return { kind: 'reversed', endToEndId, txid, refundId, amountCents, at };
    }
    return { kind: 'nothing_left' };
  });
}
