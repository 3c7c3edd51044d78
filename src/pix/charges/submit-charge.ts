import { cents } from '#core/money.ts';
import { isRemoved, keepCharge } from '../payments/keep-charge.ts';
import type { Pix } from '../pix.ts';
import { pspUnavailable } from '../problems.ts';
import { type ChargeTerms, PspRefused, PspUnavailable, type PutCharge } from '../psp/index.ts';
import { type ChargeRow, findCharge, markDiscarded } from '../store/charges.ts';

const RETRY_AFTER = { headers: { 'retry-after': '2' } };

/**
 * Creates a stored charge at the PSP, and stores the answer. Undefined when the charge was discarded in the meantime. When the
 * PSP does not answer, the charge stays as it is, for the next request or for reconciliation.
 */
export async function submitCharge(
  pix: Pix,
  charge: ChargeRow,
  { inDoubt }: { inDoubt: boolean },
): Promise<ChargeRow | undefined> {
  const made = await put(pix, charge, inDoubt);
  pix.crash('after-psp-put');
  const isUsable = made.kind === 'made' && made.charge.brCode !== null && !isRemoved(made.charge);
  if (!isUsable) {
    const { txid } = charge;
    const ours = await findCharge(pix.db, charge.customer_id, charge.id);
    // A payment of the same installment came first, and the charge was removed.
    if (ours!.status !== 'creating') return undefined;
    pix.log.error({ txid, kind: made.kind, status: made.charge.status }, 'the PSP gave no charge to use');
    await markDiscarded(pix.db, charge);
    throw pspUnavailable({
      en: 'The PSP made no charge that can be paid.',
      pt: 'O PSP não gerou uma cobrança que possa ser paga.',
      ...RETRY_AFTER,
    });
  }
  const kept = await keepCharge(pix, charge, made.charge);
  pix.crash('after-charge-pending');
  return kept;
}

async function put(pix: Pix, charge: ChargeRow, inDoubt: boolean): Promise<PutCharge> {
  try {
    return await pix.psp().putCob(charge.txid, termsOf(charge), { inDoubt });
  } catch (error) {
    if (!(error instanceof PspUnavailable || error instanceof PspRefused)) throw error;
    pix.metrics.charges.inc({ outcome: 'psp_unavailable' });
    if (error instanceof PspRefused) {
      // The refusal says that nothing was done, and why: most likely because of a setting of ours.
      pix.log.error({ err: error, txid: charge.txid }, 'the PSP refused a charge');
      await markDiscarded(pix.db, charge);
    }
    throw pspUnavailable({
      en: 'The PSP cannot make a charge just now.',
      pt: 'O PSP não consegue gerar uma cobrança agora.',
      ...RETRY_AFTER,
    });
  }
}

/** Deterministic: they identify the PSP's charge as ours. */
function termsOf(charge: ChargeRow): ChargeTerms {
  return {
    amountCents: cents(charge.value_cents),
    expirationSeconds: charge.expiration_seconds,
    key: charge.pix_key,
    note: NOTES[charge.type],
  };
}

/** The text in the payer's app. */
const NOTES: Record<ChargeRow['type'], string> = {
  settle: 'Pagamento de parcela',
  settle_with_penalty: 'Pagamento de parcela com encargos',
  settle_partial: 'Pagamento parcial de parcela',
  extend: 'Prorrogação de parcela',
};
