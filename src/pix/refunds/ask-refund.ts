import { cents } from '#core/money.ts';
import type { Pix } from '../pix.ts';
import { PspRefused, type Refund } from '../psp/index.ts';

/** Asks the PSP for a refund. A refusal is returned: nothing was done. */
export async function askRefund(
  pix: Pix,
  { end_to_end_id, id, amount_cents }: { end_to_end_id: string; id: string; amount_cents: number },
  note: string,
): Promise<Refund | PspRefused> {
  try {
    const asked = await pix.psp().requestRefund(end_to_end_id, id, cents(amount_cents), { note });
    if (asked.kind === 'taken') throw new Error(`the PSP has a refund ${id} of another amount`);
    return asked.refund;
  } catch (error) {
    if (error instanceof PspRefused) return error;
    throw error;
  }
}
