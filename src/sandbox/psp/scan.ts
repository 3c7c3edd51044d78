import { decodeBrCode } from '#core/br-code.ts';
import type { Cents } from '#core/money.ts';
import { isPlaceToken } from './api/names.ts';
import { type Bank, PLACE_PATH } from './bank.ts';
import { askedAmount, payableUntil } from './pay.ts';
import { type ChargeRow, findChargeAt } from './store/charges.ts';

type Scanned =
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
  /** A valid code, but not of a charge of this bank. */
  | { kind: 'not_ours' };

/** What a payer's app shows after scanning a code. */
export async function scan(bank: Bank, brCode: string): Promise<Scanned> {
  const decoded = decodeBrCode(brCode.trim());
  if (!decoded.ok) return { kind: 'unreadable', reason: decoded.detail };
  const { target, merchantName, merchantCity } = decoded.code;
  const charge = target.kind === 'dynamic' ? await find(bank, target.location) : undefined;
  if (!charge) return { kind: 'not_ours' };
  const now = bank.clock.now();
  const expiresAt = payableUntil(charge);
  return {
    kind: 'charge',
    txid: charge.txid,
    amountCents: askedAmount(charge),
    receiver: { name: merchantName, city: merchantCity, key: charge.terms.chave },
    note: charge.terms.solicitacaoPagador ?? null,
    status: charge.status,
    expiresAt,
    isPayable: charge.status === 'ATIVA' && now <= expiresAt,
  };
}

async function find(bank: Bank, location: string): Promise<ChargeRow | undefined> {
  const [, path = ''] = /^[^/]+(\/.*)$/.exec(location) ?? [];
  const token = path.slice(PLACE_PATH.length);
  return path.startsWith(PLACE_PATH) && isPlaceToken(token) ? findChargeAt(bank.db, token) : undefined;
}
