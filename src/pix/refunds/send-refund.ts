import { lockedCustomer } from '../locked-customer.ts';
import type { Pix } from '../pix.ts';
import { PspRefused, type Refund } from '../psp/index.ts';
import { type ChargeRow, findCharge } from '../store/charges.ts';
import { findPayment } from '../store/payments.ts';
import { listRefunds, markRefund, type RefundKey } from '../store/refunds.ts';
import { askRefund } from './ask-refund.ts';
import { failRefund, syncRefunds } from './sync-refunds.ts';

const NOTE = 'Devolução de valor pago a mais';

/**
 * Asks the PSP to carry out a recorded refund, or asks for the state of one in progress. Right before the call the refund becomes
 * `processing`. So one that is `asked` is not at the PSP: it was never sent, or the PSP refused it or does not have it. `sync` reads
 * the charge from the PSP, with all refunds of its payments.
 */
export async function sendRefund(
  pix: Pix,
  named: RefundKey,
  sync: (pix: Pix, charge: ChargeRow) => Promise<unknown>,
): Promise<void> {
  const known = await listRefunds(pix.db, named.customer_id, named.end_to_end_id);
  const refund = known.find(({ id }) => id === named.id);
  if (!refund || !['asked', 'processing'].includes(refund.status)) return;
  const payment = (await findPayment(pix.db, named.customer_id, named.end_to_end_id))!;
  const charge = (await findCharge(pix.db, named.customer_id, payment.charge_id))!;
  if (refund.status === 'processing') {
    const found = await pix.psp().getRefund(refund.end_to_end_id, refund.id);
    if (found.kind === 'found') return note(pix, charge, named, found.refund);
    await markRefund(pix.db, named, 'asked', 'processing');
  }
  // Not the first attempt: somebody may have refunded by hand, which is not reported.
  if (refund.status === 'processing' || known.length > 1) await sync(pix, charge);
  if (!(await markRefund(pix.db, named, 'processing', 'asked'))) return;
  const asked = await askRefund(pix, refund, NOTE);
  pix.crash('after-refund-asked');
  if (!(asked instanceof PspRefused)) return note(pix, charge, named, asked);
  await markRefund(pix.db, named, 'asked', 'processing');
  // The payer's bank may have taken the money first: then the PSP reports that, and the refund is over.
  await sync(pix, charge);
  const refusal = { reason: asked.reason, isFinal: isForGood(asked), isTooOld: isForAge(asked) };
  await lockedCustomer(pix, charge.customer_id, (tx) => failRefund(tx, pix, charge, named, refusal));
}

/** A PSP's own code for a payment that is too old. */
const TOO_OLD_TYPE = 'devolucao_prazo_excedido';
/** Error types of the standard and of PSPs for a refund that can never succeed. Any other type is not final. */
const FINAL_TYPES = new Set(['PixDevolucaoInvalida', 'valor_invalido', TOO_OLD_TYPE]);
/** The standard has one code for all of these; a violation then names the 90 days. */
const NAMES_THE_WINDOW = /\b90 dias\b/i;

/**
 * Whether the refusal of this refund is permanent: the standard's code for that, or a PSP's own (Efí). Other refusals, for a
 * missing scope or payment, can be fixed by an operator in time.
 */
function isForGood({ status, type }: PspRefused): boolean {
  return (status === 400 || status === 422) && FINAL_TYPES.has(type);
}

function isForAge(refusal: PspRefused): boolean {
  return isForGood(refusal) && (refusal.type === TOO_OLD_TYPE || NAMES_THE_WINDOW.test(refusal.reason));
}

function note(pix: Pix, charge: ChargeRow, named: RefundKey, told: Refund): Promise<void> {
  const refunds = { endToEndId: named.end_to_end_id, refunds: [told] };
  return lockedCustomer(pix, charge.customer_id, (tx) => syncRefunds(tx, pix, charge, refunds));
}
