import { decodeBrCode } from '#core/values/br-code.ts';
import type { Cents } from '#core/values/money.ts';
import { isLocationToken } from './api/formats.ts';
import { type Bank, LOCATION_PATH } from './bank.ts';
import { computeExpiry, requestedAmountOf } from './pay.ts';
import { type ChargeRow, findChargeByToken } from './store/charges.ts';

type ScanResult =
  | {
      kind: 'charge';
      txid: string;
      amountCents: Cents;
      receiver: { name: string; city: string; key: string };
      note: string | null;
      status: string;
      expiresAt: Date;
      isPayable: boolean;
    }
  | { kind: 'unreadable'; reason: string }
  /** The code is valid, but does not belong to a charge of this bank. */
  | { kind: 'not_ours' };

/** Returns what a payer's app shows after scanning a code. */
export async function scan(bank: Bank, brCode: string): Promise<ScanResult> {
  const decoded = decodeBrCode(brCode.trim());
  if (!decoded.ok) return { kind: 'unreadable', reason: decoded.detail };
  const { target, merchantName, merchantCity } = decoded.code;
  const charge = target.kind === 'dynamic' ? await findChargeAtLocation(bank, target.location) : undefined;
  if (!charge) return { kind: 'not_ours' };
  const now = bank.clock.now();
  const expiresAt = computeExpiry(charge);
  return {
    kind: 'charge',
    txid: charge.txid,
    amountCents: requestedAmountOf(charge),
    receiver: { name: merchantName, city: merchantCity, key: charge.terms.chave },
    note: charge.terms.solicitacaoPagador ?? null,
    status: charge.status,
    expiresAt,
    isPayable: charge.status === 'ATIVA' && now <= expiresAt,
  };
}

async function findChargeAtLocation(bank: Bank, location: string): Promise<ChargeRow | undefined> {
  const [, path = ''] = /^[^/]+(\/.*)$/.exec(location) ?? [];
  const token = path.slice(LOCATION_PATH.length);
  return path.startsWith(LOCATION_PATH) && isLocationToken(token)
    ? findChargeByToken(bank.db, token)
    : undefined;
}
