import { eachAtPsp } from '../each-at-psp.ts';
import { countSettled } from '../metrics.ts';
import type { Pix } from '../pix.ts';
import { listChargesByTxid } from '../store/charges.ts';
import { syncCharge } from './sync-charge.ts';

export const syncCharges = (pix: Pix, txids: readonly string[]): Promise<void> =>
  eachAtPsp(
    pix,
    txids.map((txid) => ({ txid })),
    async ({ txid }) => {
      const [charge] = await listChargesByTxid(pix.db, [txid]);
      if (charge) countSettled(pix.metrics, await syncCharge(pix, charge));
    },
  );
