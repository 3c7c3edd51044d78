import { cents } from '#core/values/money.ts';
import type { Pix } from '../pix.ts';
import { PspRefused, type Refund } from '../psp/index.ts';

/** Requests a refund from the PSP. A refusal, after which nothing was done, is returned instead of thrown. */
export async function requestRefundAtPsp(
  pix: Pix,
  { end_to_end_id, id, amount_cents }: { end_to_end_id: string; id: string; amount_cents: number },
  note: string,
): Promise<Refund | PspRefused> {
  try {
    const response = await pix.psp().requestRefund(end_to_end_id, id, cents(amount_cents), { note });
    if (response.kind === 'id_taken')
      throw new Error(`the PSP has a refund with id ${id} and another amount`);
    return response.refund;
  } catch (error) {
    if (error instanceof PspRefused) return error;
    throw error;
  }
}
