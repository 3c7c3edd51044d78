import { decodeBrCode } from '#core/values/br-code.ts';
import {
  type Cents,
  cents,
  formatPlainReais,
  formatReais,
  min,
  parseReais,
  parseReaisText,
} from '#core/values/money.ts';
import { randomBase62 } from '#platform/ids.ts';
import { notFound } from '#platform/problem.ts';
import { isLocationToken, isTxid } from './api/list-query.ts';
import { computeRefundableCents } from './api/pix.ts';
import { approveByPayment } from './autopay/payer.ts';
import { lockDebit } from './autopay/store.ts';
import {
  type Bank,
  LOCATION_PATH,
  MAX_PAYMENT_CENTS,
  newEndToEndId,
  newReturnId,
  withBankTransaction,
} from './bank.ts';
import { enqueuePixCallback } from './callbacks.ts';
import {
  brCodeUnreadable,
  chargeExpired,
  chargeNotPayable,
  fieldProblem,
  nothingToReverse,
} from './problems.ts';
import { type ChargeRow, findChargeByToken, lockCharge, markChargePaid } from './store/charges.ts';
import { findLastEndToEndId, insertPix, insertRefund, listPixByTxids, lockPix } from './store/pix.ts';

export type Payment = {
  amountCents?: Cents;
  /** Default: now. */
  paidAt?: Date;
  /** Simulates a careless bank: pays charges that are expired, removed or already paid, and at any time. */
  force?: boolean;
};

/** The payer's bank pays the charge. The callback is enqueued as the faults require. Returns undefined if there is no such charge. */
export function pay(bank: Bank, txid: string, payment: Payment) {
  const paidAt = payment.paidAt ?? bank.clock.now();
  return withBankTransaction(bank, async (context) => {
    const { tx, faults } = context;
    const charge = isTxid(txid) ? await lockCharge(tx, txid) : undefined;
    if (!charge) return undefined;
    if (!payment.force) requirePayable(charge, { paidAt, requestedAt: payment.paidAt });
    const chargeCents = parseChargeAmount(charge);
    if (chargeCents === 0 && payment.amountCents === undefined)
      throw fieldProblem('value', {
        en: 'is required: the payer chooses the amount of this charge',
        pt: 'é obrigatório: o pagador escolhe o valor desta cobrança',
      });
    const faultyCents = Math.max(1, chargeCents + (parseReais(faults.wrong_amount) ?? 0));
    const amountCents = payment.amountCents ?? min(MAX_PAYMENT_CENTS, cents(faultyCents));
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
    await markChargePaid(tx, txid);
    await enqueuePixCallback(context, endToEndId);
    await approveByPayment(context, txid);
    return { endToEndId: reportedId ?? endToEndId, txid, amountCents, paidAt };
  });
}

function requirePayable(
  charge: ChargeRow,
  { paidAt, requestedAt }: { paidAt: Date; requestedAt: Date | undefined },
): void {
  if (charge.status !== 'ATIVA') throw chargeNotPayable(charge.status);
  const createdAt = charge.created_at;
  if (requestedAt && requestedAt < createdAt)
    throw fieldProblem('at', {
      en: `must not be before the charge was created at ${createdAt.toISOString()}`,
      pt: `não pode ser antes de a cobrança ser criada, em ${createdAt.toISOString()}`,
    });
  const expiresAt = computeExpiry(charge);
  if (paidAt > expiresAt) throw chargeExpired(expiresAt);
}

const computeExpiry = ({ terms, created_at }: ChargeRow): Date =>
  new Date(created_at.getTime() + terms.calendario.expiracao * 1000);

const parseChargeAmount = ({ terms }: ChargeRow): Cents => parseReaisText(terms.valor.original)!;

/**
 * Makes a chargeback after a fraud claim (MED): the payer's bank takes back the rest of the payment, or a part of it, without a
 * request from the receiver. Returns undefined if there is no such charge.
 */
export function reverse(bank: Bank, txid: string, requestedCents?: Cents) {
  const reversedAt = bank.clock.now();
  return withBankTransaction(bank, async (context) => {
    const { tx } = context;
    if (!isTxid(txid)) return undefined;
    const isDebit = (await lockDebit(tx, txid)) !== undefined;
    if (!isDebit && !(await lockCharge(tx, txid))) return undefined;
    // Takes back the newest payment that is not completely returned.
    for (const { end_to_end_id: endToEndId } of (await listPixByTxids(tx, [txid])).toReversed()) {
      const pix = (await lockPix(tx, endToEndId))!;
      const remainingCents = cents(computeRefundableCents(pix));
      if (remainingCents === 0) continue;
      const amountCents = requestedCents ?? remainingCents;
      if (amountCents > remainingCents)
        throw fieldProblem('value', {
          en: `must be at most ${formatPlainReais(remainingCents)}: the payment has no more left`,
          pt: `deve ser no máximo ${formatReais(remainingCents)}: é o que resta do pagamento`,
        });
      const refundId = `MED${randomBase62(29)}`;
      await insertRefund(tx, {
        end_to_end_id: endToEndId,
        id: refundId,
        return_id: newReturnId(reversedAt),
        amount_cents: amountCents,
        nature: isDebit ? 'MED_PIX_AUTOMATICO' : 'MED_FRAUDE',
        description: null,
        status: 'DEVOLVIDO',
        requested_at: reversedAt,
        settled_at: reversedAt,
        settlesAfterMs: null,
        outcome: 'DEVOLVIDO',
      });
      await enqueuePixCallback(context, endToEndId);
      return { endToEndId, txid, refundId, amountCents, reversedAt };
    }
    throw nothingToReverse();
  });
}

export async function scan(bank: Bank, brCode: string) {
  const decodedCode = decodeBrCode(brCode.trim());
  if (!decodedCode.ok) throw brCodeUnreadable(decodedCode.detail);
  const { target, merchantName, merchantCity } = decodedCode.code;
  const charge = target.kind === 'dynamic' ? await findChargeAtLocation(bank, target.location) : undefined;
  if (!charge)
    throw notFound({
      en: 'The code does not belong to a charge of this PSP.',
      pt: 'O código não leva a nenhuma cobrança deste PSP.',
    });
  const expiresAt = computeExpiry(charge);
  return {
    charge,
    amountCents: parseChargeAmount(charge),
    receiver: { name: merchantName, city: merchantCity, key: charge.terms.chave },
    expiresAt,
    isPayable: charge.status === 'ATIVA' && bank.clock.now() <= expiresAt,
  };
}

async function findChargeAtLocation(bank: Bank, location: string): Promise<ChargeRow | undefined> {
  const [, path = ''] = /^[^/]+(\/.*)$/.exec(location) ?? [];
  const token = path.slice(LOCATION_PATH.length);
  return path.startsWith(LOCATION_PATH) && isLocationToken(token)
    ? findChargeByToken(bank.db, token)
    : undefined;
}
