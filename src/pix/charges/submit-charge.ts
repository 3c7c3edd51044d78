import { cents } from '#core/values/money.ts';
import type { Pix } from '../pix.ts';
import { pspUnavailable } from '../problems.ts';
import { type ChargeTerms, PspRefused, PspUnavailable, type PutCharge } from '../psp/index.ts';
import { isRemovedAtPsp, saveCreatedCharge } from '../settlement/sync-charge.ts';
import { type ChargeRow, findCharge, markDiscarded } from '../store/charges.ts';

const RETRY_AFTER = { headers: { 'retry-after': '2' } };

/**
 * Creates a stored charge at the PSP, and saves the response. Undefined if the charge was cancelled meanwhile. If the PSP is
 * unavailable, the charge stays as it is, for the next request or for reconciliation.
 */
export async function submitCharge(pix: Pix, charge: ChargeRow, { inDoubt }: { inDoubt: boolean }) {
  const response = await put(pix, charge, { inDoubt });
  pix.failpoint('after-psp-put');
  const isPayable =
    response.kind === 'created' && response.charge.brCode !== null && !isRemovedAtPsp(response.charge);
  if (!isPayable) {
    const { txid } = charge;
    const stored = await findCharge(pix.db, charge.customer_id, charge.id);
    // Another payment of the installment arrived first, and the charge was removed.
    if (stored!.status !== 'creating') return undefined;
    const { kind, charge: pspCharge } = response;
    pix.log.error({ txid, kind, status: pspCharge.status }, 'the PSP returned a charge that cannot be paid');
    await markDiscarded(pix.db, charge);
    throw pspUnavailable({
      en: 'The PSP did not create a charge that can be paid.',
      pt: 'O PSP não gerou uma cobrança que possa ser paga.',
      ...RETRY_AFTER,
    });
  }
  const stored = await saveCreatedCharge(pix, charge, response.charge);
  pix.failpoint('after-charge-pending');
  return stored;
}

async function put(pix: Pix, charge: ChargeRow, options: { inDoubt: boolean }): Promise<PutCharge> {
  try {
    return await pix.psp().putCob(charge.txid, toChargeTerms(charge), options);
  } catch (error) {
    if (!(error instanceof PspUnavailable || error instanceof PspRefused)) throw error;
    pix.metrics.charges.inc({ outcome: 'psp_unavailable' });
    if (error instanceof PspRefused) {
      // Nothing was created. The cause is most likely one of our settings.
      pix.log.error({ err: error, txid: charge.txid }, 'the PSP refused a charge');
      await markDiscarded(pix.db, charge);
    }
    throw pspUnavailable({
      en: 'The PSP cannot create a charge at the moment.',
      pt: 'O PSP não consegue gerar uma cobrança agora.',
      ...RETRY_AFTER,
    });
  }
}

/** Must be deterministic: a charge at the PSP is recognised as ours by its terms. */
function toChargeTerms(charge: ChargeRow): ChargeTerms {
  return {
    amountCents: cents(charge.value_cents),
    expirationSeconds: charge.expiration_seconds,
    key: charge.pix_key,
    note: NOTES[charge.type],
  };
}

const NOTES: Record<ChargeRow['type'], string> = {
  settle: 'Pagamento de parcela',
  settle_with_penalty: 'Pagamento de parcela com encargos',
  settle_partial: 'Pagamento parcial de parcela',
  extend: 'Prorrogação de parcela',
};
