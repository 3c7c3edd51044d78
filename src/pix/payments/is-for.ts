import { type ChargeRow, txidKey } from '../store/charges.ts';

/**
 * Whether what the PSP has, a payment or a charge, is for this charge of ours: txid and key match where it names them. Another
 * amount is for it all the same (docs/pix.md).
 */
export const isFor = (
  charge: Pick<ChargeRow, 'txid' | 'pix_key'>,
  { txid, key }: { txid: string | null; key: string | null },
): boolean =>
  (txid === null || txidKey(txid) === txidKey(charge.txid)) &&
  (key === null || key.toLowerCase() === charge.pix_key.toLowerCase());
