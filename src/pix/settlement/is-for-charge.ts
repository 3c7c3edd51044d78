import { type ChargeRow, normaliseTxid } from '../store/charges.ts';

/**
 * Whether a payment or charge at the PSP is for this charge of ours: its txid and key match, if they are present. The amount may
 * differ (docs/pix.md).
 */
export const isForCharge = (
  charge: Pick<ChargeRow, 'txid' | 'pix_key'>,
  { txid, key }: { txid: string | null; key: string | null },
): boolean =>
  (txid === null || normaliseTxid(txid) === normaliseTxid(charge.txid)) &&
  (key === null || key.toLowerCase() === charge.pix_key.toLowerCase());
