import { type ChargeRow, txidKey } from '../store/charges.ts';

/**
 * Whether a payment or charge at the PSP is for this charge of ours: txid and key match where they are given. The amount may
 * differ (docs/pix.md).
 */
export const isFor = (
  charge: Pick<ChargeRow, 'txid' | 'pix_key'>,
  { txid, key }: { txid: string | null; key: string | null },
): boolean =>
  (txid === null || txidKey(txid) === txidKey(charge.txid)) &&
  (key === null || key.toLowerCase() === charge.pix_key.toLowerCase());
