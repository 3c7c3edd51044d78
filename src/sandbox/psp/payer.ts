import { decodeBrCode } from '#core/values/br-code.ts';
import { type Cents, cents, min, parseReais, parseReaisText } from '#core/values/money.ts';
import { randomBase62 } from '#platform/ids.ts';
import { isLocationToken, isTxid } from './api/list-query.ts';
import { computeRefundableCents } from './api/pix.ts';
import { approveByPayment } from './autopay/payer.ts';
import { lockDebit } from './autopay/store.ts';
import {
  type Bank,
  LOCATION_PATH,
  MAX_CENTS,
  newEndToEndId,
  newReturnId,
  withBankTransaction,
} from './bank.ts';
import { enqueuePixCallback } from './callbacks.ts';
import type { Faults } from './faults.ts';
import { type ChargeRow, findChargeByToken, lockCharge, markPaid } from './store/charges.ts';
import { findLastEndToEndId, insertPix, insertRefund, listPixByTxids, lockPix } from './store/pix.ts';

export type Payment = {
  /** Default: the amount of the charge. */
  amountCents?: Cents;
  /** Default: now. */
  at?: Date;
  /** Simulates a careless bank: pays charges that are expired, removed or already paid, and at any time. */
  force?: boolean;
};

type PaymentResult =
  | { kind: 'paid'; endToEndId: string; txid: string; amountCents: Cents; paidAt: Date }
  | { kind: 'unknown_charge' }
  | { kind: 'not_active'; status: string }
  | { kind: 'expired'; at: Date }
  /** `at` is before the charge was created. */
  | { kind: 'too_early'; createdAt: Date }
  /** The payer must choose the amount, and did not. */
  | { kind: 'amount_required' };

/** The payer's bank pays the charge. The callback is enqueued as the faults require. */
export async function pay(bank: Bank, txid: string, payment: Payment): Promise<PaymentResult> {
  const paidAt = payment.at ?? bank.clock.now();
  return withBankTransaction(bank, async (context): Promise<PaymentResult> => {
    const { tx, faults } = context;
    const charge = isTxid(txid) ? await lockCharge(tx, txid) : undefined;
    if (!charge) return { kind: 'unknown_charge' };
    if (!payment.force) {
      if (charge.status !== 'ATIVA') return { kind: 'not_active', status: charge.status };
      if (payment.at && paidAt < charge.created_at)
        return { kind: 'too_early', createdAt: charge.created_at };
      const expiresAt = computeExpiry(charge);
      if (paidAt > expiresAt) return { kind: 'expired', at: expiresAt };
    }
    const requestedCents = requestedAmountOf(charge);
    const amountCents = payment.amountCents ?? applyWrongAmount(requestedCents, faults);
    if (requestedCents === 0 && payment.amountCents === undefined) return { kind: 'amount_required' };
    const endToEndId = newEndToEndId(paidAt);
    const reportedId = faults.end_to_end_id === 'reused' ? await findLastEndToEndId(tx, txid) : null;
    await insertPix(tx, {
      end_to_end_id: endToEndId,
      told_as: reportedId,
      txid,
      key: charge.terms.chave,
      amount_cents: amountCents,
      paid_at: paidAt,
    });
    await markPaid(tx, txid);
    await enqueuePixCallback(context, endToEndId);
    await approveByPayment(context, txid);
    return { kind: 'paid', endToEndId: reportedId ?? endToEndId, txid, amountCents, paidAt };
  });
}

/** Returns when the charge expires. Its status stays ATIVA after that. */
export function computeExpiry({ terms, created_at }: ChargeRow): Date {
  return new Date(created_at.getTime() + terms.calendario.expiracao * 1000);
}

export function requestedAmountOf({ terms }: ChargeRow): Cents {
  return parseReaisText(terms.valor.original)!;
}

/** Returns the amount plus the fault `wrong_amount`, at least one centavo. */
function applyWrongAmount(amountCents: Cents, { wrong_amount }: Faults): Cents {
  return min(MAX_CENTS, cents(Math.max(1, amountCents + (parseReais(wrong_amount) ?? 0))));
}

type ReversalResult =
  | { kind: 'reversed'; endToEndId: string; txid: string; refundId: string; amountCents: Cents; at: Date }
  | { kind: 'unknown_charge' }
  /** The charge was not paid, or its payments were returned completely. */
  | { kind: 'nothing_left' }
  | { kind: 'too_much'; remainingCents: Cents };

/**
 * Makes a chargeback after a fraud claim (MED): the payer's bank takes back the rest of the payment, or a part of it, without a
 * request from the receiver.
 */
export async function reverse(bank: Bank, txid: string, requestedCents?: Cents): Promise<ReversalResult> {
  const at = bank.clock.now();
  return withBankTransaction(bank, async (context): Promise<ReversalResult> => {
    const { tx } = context;
    if (!isTxid(txid)) return { kind: 'unknown_charge' };
    const isDebit = (await lockDebit(tx, txid)) !== undefined;
    if (!isDebit && !(await lockCharge(tx, txid))) return { kind: 'unknown_charge' };
    for (const { end_to_end_id: endToEndId } of (await listPixByTxids(tx, [txid])).toReversed()) {
      const pix = (await lockPix(tx, endToEndId))!;
      const remainingCents = cents(computeRefundableCents(pix));
      if (remainingCents === 0) continue;
      const amountCents = requestedCents ?? remainingCents;
      if (amountCents > remainingCents) return { kind: 'too_much', remainingCents };
      const refundId = `MED${randomBase62(29)}`;
      await insertRefund(tx, {
        end_to_end_id: endToEndId,
        id: refundId,
        return_id: newReturnId(at),
        amount_cents: amountCents,
        nature: isDebit ? 'MED_PIX_AUTOMATICO' : 'MED_FRAUDE',
        description: null,
        status: 'DEVOLVIDO',
        requested_at: at,
        settled_at: at,
        settlesAfterMs: null,
        outcome: 'DEVOLVIDO',
      });
      await enqueuePixCallback(context, endToEndId);
      return { kind: 'reversed', endToEndId, txid, refundId, amountCents, at };
    }
    return { kind: 'nothing_left' };
  });
}

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
