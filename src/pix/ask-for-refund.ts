import { cents } from '#core/money.ts';
import { lockBuyer } from '#credit';
import { lookAtCharge } from './look-at-charge.ts';
import { fail, noteOurs } from './note-refunds.ts';
import type { Pix } from './pix.ts';
import { PspRefused, type Refund } from './psp/index.ts';
import { type ChargeRow, findCharge } from './store/charges.ts';
import { findPayment } from './store/payments.ts';
import { findRefund, type RefundRow } from './store/refunds.ts';

const NOTE = 'Devolução de valor pago a mais';

/** Asks the PSP to send money back that is written down to go back; a refund it is at already is asked after. */
export async function askForRefund(
  pix: Pix,
  named: Pick<RefundRow, 'customer_id' | 'end_to_end_id' | 'id'>,
): Promise<void> {
  const refund = await findRefund(pix.db, named);
  if (!refund || !['asked', 'processing'].includes(refund.status)) return;
  const payment = (await findPayment(pix.db, named.customer_id, named.end_to_end_id))!;
  const charge = (await findCharge(pix.db, named.customer_id, payment.charge_id))!;
  const asked = await ask(pix, refund);
  pix.crash('after-refund-asked');
  if (asked instanceof PspRefused) {
    // The payer's bank may have taken the money first: then that is what the PSP tells of, and the refund is over.
    await lookAtCharge(pix, charge.txid);
    await change(pix, charge, named, (tx, now) =>
      fail(tx, pix, charge, now, { reason: asked.message, isFinal: true }),
    );
  } else {
    await change(pix, charge, named, (tx, now) => noteOurs(tx, pix, charge, now, asked));
  }
}

async function ask(pix: Pix, refund: RefundRow): Promise<Refund | PspRefused> {
  const { end_to_end_id, id } = refund;
  try {
    if (refund.status === 'processing') {
      const found = await pix.psp().getRefund(end_to_end_id, id);
      if (found.kind === 'found') return found.refund;
    }
    const asked = await pix
      .psp()
      .requestRefund(end_to_end_id, id, cents(refund.amount_cents), { note: NOTE });
    if (asked.kind === 'taken') throw new Error(`the PSP has a refund ${id} of another amount`);
    return asked.refund;
  } catch (error) {
    if (error instanceof PspRefused) return error;
    throw error;
  }
}

type Change = (tx: Parameters<typeof lockBuyer>[0], refund: RefundRow) => Promise<void>;

/** As it is once the customer is locked. */
async function change(
  pix: Pix,
  charge: ChargeRow,
  named: Pick<RefundRow, 'customer_id' | 'end_to_end_id' | 'id'>,
  make: Change,
): Promise<void> {
  await pix.db.transaction(async (tx) => {
    await lockBuyer(tx, charge.customer_id);
    await make(tx, (await findRefund(tx, named))!);
  });
}
