import { type Cents, cents, min, parseReais, parseReaisText } from '#core/money.ts';
import { isTxid } from './api/names.ts';
import { approveByPayment } from './autopay/answers.ts';
import { type Bank, MOST_CENTS, newEndToEndId } from './bank.ts';
import { changeBank } from './bank-change.ts';
import type { Faults } from './faults.ts';
import { enqueueNotice } from './notices.ts';
import { type ChargeRow, lockCharge, markPaid } from './store/charges.ts';
import { findLastEndToEndId, insertPix } from './store/pix.ts';

export type Payment = {
  /** Default: the amount of the charge. */
  amountCents?: Cents;
  /** Default: now. */
  at?: Date;
  /** Pays charges that are expired, removed or paid already, and at any time, as a careless bank might. */
  force?: boolean;
};

type PaymentResult =
  | { kind: 'paid'; endToEndId: string; txid: string; amountCents: Cents; paidAt: Date }
  | { kind: 'unknown_charge' }
  | { kind: 'not_active'; status: string }
  | { kind: 'expired'; at: Date }
  /** `at` is before the charge was created. */
  | { kind: 'too_early'; madeAt: Date }
  /** The payer chooses the amount, and gave none. */
  | { kind: 'amount_needed' };

/** The payer's bank pays the charge, and the notice is queued as the faults say. */
export async function pay(bank: Bank, txid: string, payment: Payment): Promise<PaymentResult> {
  const paidAt = payment.at ?? bank.clock.now();
  return changeBank(bank, async (change): Promise<PaymentResult> => {
    const { tx, faults } = change;
    const charge = isTxid(txid) ? await lockCharge(tx, txid) : undefined;
    if (!charge) return { kind: 'unknown_charge' };
    if (!payment.force) {
      if (charge.status !== 'ATIVA') return { kind: 'not_active', status: charge.status };
      if (payment.at && paidAt < charge.created_at) return { kind: 'too_early', madeAt: charge.created_at };
      const end = payableUntil(charge);
      if (paidAt > end) return { kind: 'expired', at: end };
    }
    const asked = askedAmount(charge);
    const amountCents = payment.amountCents ?? wronged(asked, faults);
    if (asked === 0 && payment.amountCents === undefined) return { kind: 'amount_needed' };
    const endToEndId = newEndToEndId(paidAt);
    const toldAs = faults.end_to_end_id === 'reused' ? await findLastEndToEndId(tx, txid) : null;
    await insertPix(tx, {
      end_to_end_id: endToEndId,
      told_as: toldAs,
      txid,
      key: charge.terms.chave,
      amount_cents: amountCents,
      paid_at: paidAt,
    });
    await markPaid(tx, txid);
    await enqueueNotice(change, endToEndId);
    await approveByPayment(change, txid);
    return { kind: 'paid', endToEndId: toldAs ?? endToEndId, txid, amountCents, paidAt };
  });
}

/** When the charge expires. Its status stays ATIVA after that. */
export function payableUntil({ terms, created_at }: ChargeRow): Date {
  return new Date(created_at.getTime() + terms.calendario.expiracao * 1000);
}

export function askedAmount({ terms }: ChargeRow): Cents {
  return parseReaisText(terms.valor.original)!;
}

/** The amount with the fault `wrong_amount` added; at least one centavo. */
function wronged(asked: Cents, { wrong_amount }: Faults): Cents {
  return min(MOST_CENTS, cents(Math.max(1, asked + (parseReais(wrong_amount) ?? 0))));
}
