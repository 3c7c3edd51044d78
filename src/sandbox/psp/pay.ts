import { type Cents, cents, min, parseReais, parseReaisText } from '#core/values/money.ts';
import { isTxid } from './api/formats.ts';
import { approveByPayment } from './autopay/payer-actions.ts';
import { type Bank, MAX_CENTS, newEndToEndId, withBankTransaction } from './bank.ts';
import { enqueuePixCallback } from './callbacks.ts';
import type { Faults } from './faults.ts';
import { type ChargeRow, lockCharge, markPaid } from './store/charges.ts';
import { findLastEndToEndId, insertPix } from './store/pix.ts';

export type Payment = {
  /** Default: the amount of the charge. */
  amountCents?: Cents;
  /** Default: now. */
  at?: Date;
  /** Simulates a careless bank: pays charges that are expired, removed or already paid, and at any time. */
  force?: boolean;
};

type PaymentResult =
  | { kind: 'paid'; endToEndId: string; txid: string; amountCents: Cents; paidAt: Date }
  | { kind: 'unknown_charge' }
  | { kind: 'not_active'; status: string }
  | { kind: 'expired'; at: Date }
  /** `at` is before the charge was created. */
  | { kind: 'too_early'; createdAt: Date }
  /** The payer must choose the amount, and did not. */
  | { kind: 'amount_required' };

/** The payer's bank pays the charge. The callback is enqueued as the faults require. */
export async function pay(bank: Bank, txid: string, payment: Payment): Promise<PaymentResult> {
  const paidAt = payment.at ?? bank.clock.now();
  return withBankTransaction(bank, async (context): Promise<PaymentResult> => {
    const { tx, faults } = context;
    const charge = isTxid(txid) ? await lockCharge(tx, txid) : undefined;
    if (!charge) return { kind: 'unknown_charge' };
    if (!payment.force) {
      if (charge.status !== 'ATIVA') return { kind: 'not_active', status: charge.status };
      if (payment.at && paidAt < charge.created_at)
        return { kind: 'too_early', createdAt: charge.created_at };
      const expiresAt = computeExpiry(charge);
      if (paidAt > expiresAt) return { kind: 'expired', at: expiresAt };
    }
    const requestedCents = requestedAmountOf(charge);
    const amountCents = payment.amountCents ?? applyWrongAmount(requestedCents, faults);
    if (requestedCents === 0 && payment.amountCents === undefined) return { kind: 'amount_required' };
    const endToEndId = newEndToEndId(paidAt);
    const reportedId = faults.end_to_end_id === 'reused' ? await findLastEndToEndId(tx, txid) : null;
    await insertPix(tx, {
      end_to_end_id: endToEndId,
      told_as: reportedId,
      txid,
      key: charge.terms.chave,
      amount_cents: amountCents,
      paid_at: paidAt,
    });
    await markPaid(tx, txid);
    await enqueuePixCallback(context, endToEndId);
    await approveByPayment(context, txid);
    return { kind: 'paid', endToEndId: reportedId ?? endToEndId, txid, amountCents, paidAt };
  });
}

/** Returns when the charge expires. Its status stays ATIVA after that. */
export function computeExpiry({ terms, created_at }: ChargeRow): Date {
  return new Date(created_at.getTime() + terms.calendario.expiracao * 1000);
}

export function requestedAmountOf({ terms }: ChargeRow): Cents {
  return parseReaisText(terms.valor.original)!;
}

/** Returns the amount plus the fault `wrong_amount`, at least one centavo. */
function applyWrongAmount(amountCents: Cents, { wrong_amount }: Faults): Cents {
  return min(MAX_CENTS, cents(Math.max(1, amountCents + (parseReais(wrong_amount) ?? 0))));
}
