import { randomBytes } from 'node:crypto';
import { type ChargeRefusal, type ChargeType, chargeExpiry, quoteCharge } from '#core/charge.ts';
import { endOfDay, saoPauloDay, startOfDay } from '#core/day.ts';
import { MINUTE_MS } from '#core/duration.ts';
import type { Cents } from '#core/money.ts';
import { findDebt, installmentPaid, NO_INSTALLMENT, valueOutOfRange } from '#credit';
import { lockCustomerById } from '#customers';
import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import { sharedTransaction } from '#platform/database/shared-transaction.ts';
import { type IdempotentRequest, once, purgeAnswer } from '#platform/http/idempotency.ts';
import { newId } from '#platform/ids.ts';
import { notFound, Problem } from '#platform/problem.ts';
import { cancelDebit, cancelOtherCharges } from '../payments/cancel-charges.ts';
import { IN_DOUBT_AFTER_MS, syncCharge } from '../payments/sync-charge.ts';
import type { Pix } from '../pix.ts';
import {
  amountChanged,
  chargeReplaced,
  extensionLimit,
  nothingToCharge,
  penaltyDue,
  pspUnavailable,
  tooManyCharges,
  valueRequired,
} from '../problems.ts';
import { PspRefused, PspUnavailable } from '../psp/index.ts';
import {
  type ChargeRow,
  findCharge,
  insertCharge,
  listLiveCharges,
  markDiscarded,
} from '../store/charges.ts';
import { submitCharge } from './submit-charge.ts';

type ChargeInput = { customerId: string; installmentId: string; type: ChargeType; value?: Cents };
/** `isAgain`: one was written for it, and has been discarded since. */
type ChargeRequest = ChargeInput & { isAgain: boolean };

/** `withdrawn`: the debit that was planned for the installment, and is not to be made any more. */
type StoredCharge = { charge: ChargeRow; isNew: boolean; withdrawn?: ChargeRow | undefined };
/** `replayed`: it is the result of an earlier request with the same key. */
type CreatedCharge = StoredCharge & { replayed: boolean };

/** New charges for one installment. */
const MOST_A_DAY = 30;
/** A code older than this is returned again only if it can still be paid. */
const LOOK_AGAIN_AFTER_MS = 5 * MINUTE_MS;

/**
 * Creates a charge, or finds the existing one. Three steps: the charge is written with its txid; the PSP is asked to create it,
 * outside of any transaction; the PSP's answer is written. The first step decides which charge it is, also for a repeated
 * request, so an interrupted request is completed by the next one.
 */
export async function createCharge(
  pix: Pix,
  input: ChargeInput,
  attempt: IdempotentRequest | undefined,
): Promise<CreatedCharge> {
  for (const isLast of [false, true]) {
    const created = await findOrWriteCharge(pix, { ...input, isAgain: isLast }, attempt);
    pix.crash('after-charge-written');
    // A debit and a code would pay twice: the debit goes first. If the PSP does not answer, the job does it.
    if (created.withdrawn) await tryToSync(pix, { ...created.withdrawn, status: 'cancelled' });
    const charge = await ensureAtPsp(pix, created);
    const isGivenUp = charge === undefined || charge.br_code === null;
    if (!isGivenUp) {
      pix.metrics.charges.inc({ outcome: created.isNew && !created.replayed ? 'made' : 'found' });
      return { ...created, charge };
    }
    // Discarded, or overtaken by a payment of the same installment: what is owed now decides again.
    if (attempt) await purgeAnswer(pix.db, attempt);
    if (isLast) break;
  }
  throw pspUnavailable({
    en: 'The charge could not be made just now.',
    pt: 'Não foi possível gerar a cobrança agora.',
    headers: { 'retry-after': '1' },
  });
}

/** Creates it at the PSP, or checks that it is still there. Undefined when nothing is left to be paid. */
async function ensureAtPsp(
  pix: Pix,
  { charge, isNew, replayed }: CreatedCharge,
): Promise<ChargeRow | undefined> {
  const at = pix.clock.now();
  if (isStale(charge, at)) {
    await markDiscarded(pix.db, charge);
    return undefined;
  }
  if (charge.status === 'creating') return submitCharge(pix, charge, { inDoubt: !isNew || replayed });
  const ageMs = at.getTime() - charge.created_at.getTime();
  if (charge.status !== 'pending' || replayed || ageMs < LOOK_AGAIN_AFTER_MS) return charge;
  // Most likely it can be paid: banks may reach the PSP where we do not.
  if (!(await tryToSync(pix, charge))) return charge;
  const now = (await findCharge(pix.db, charge.customer_id, charge.id))!;
  return now.status === 'pending' ? now : undefined;
}

/** False when the PSP does not answer, or refuses. */
async function tryToSync(pix: Pix, charge: ChargeRow): Promise<boolean> {
  try {
    await syncCharge(pix, charge);
    return true;
  } catch (error) {
    if (error instanceof PspUnavailable || error instanceof PspRefused) return false;
    throw error;
  }
}

async function findOrWriteCharge(
  pix: Pix,
  input: ChargeRequest,
  attempt: IdempotentRequest | undefined,
): Promise<CreatedCharge> {
  const { db } = pix;
  if (!attempt) {
    // Thrown after the commit: a refusal has written nothing, and must not roll back the work of others in the shared
    // transaction.
    const made = await sharedTransaction(db, input.customerId, (tx) => writeCharge(tx, pix, input));
    return { ...accepted(made), replayed: false };
  }
  let written: StoredCharge | undefined;
  const answer = await once(forCustomer(db, input.customerId), attempt, async (tx) => {
    written = accepted(await writeCharge(tx, pix, input));
    return { status: written.isNew ? 201 : 200, body: written.charge.id };
  });
  if (!answer.replayed) return { ...written!, replayed: false };
  const charge = await findCharge(db, input.customerId, answer.body);
  return { charge: charge!, isNew: answer.status === 201, replayed: true };
}

/**
 * A refusal is returned before anything is written. An exception rolls the transaction back. The customer is locked: a concurrent
 * request for the same finds this charge, and payments that arrive are counted.
 */
async function writeCharge(tx: CustomerTx, pix: Pix, input: ChargeRequest): Promise<StoredCharge | Problem> {
  const { customerId, installmentId, type } = input;
  const now = pix.clock.now();
  const day = saoPauloDay(now.getTime());
  const since = new Date(startOfDay(day));
  const [, owed, { live, made, debit }] = await Promise.all([
    lockCustomerById(tx, customerId),
    findDebt(tx, customerId, installmentId, now.getTime()),
    listLiveCharges(tx, input, { now, since }),
  ]);
  if (!owed) return notFound(NO_INSTALLMENT);
  const quote = quoteCharge(owed.debt, owed.terms, type, input.value);
  if (!quote.ok) return refusal(quote);
  const wanted = {
    customer_id: customerId,
    installment_id: installmentId,
    type,
    value_cents: quote.value as number,
  };
  const same = live.find(({ value_cents }) => value_cents === wanted.value_cents);
  if (same && !isStale(same, now)) return { charge: same, isNew: false };
  // A request for another amount came later, and its code may be on screen by now.
  if (input.isAgain && live.some((charge) => charge !== same)) return chargeReplaced();
  if (made >= MOST_A_DAY) return tooMany(now);
  if (same) await markDiscarded(tx, same);
  const expiresAt = chargeExpiry(now.getTime());
  const id = newId('pix', now);
  // Charges of another amount are replaced.
  const replaced = { customer_id: customerId, installment_id: installmentId, id };
  if (live.length > 0) await cancelOtherCharges(tx, replaced, { now, type });
  if (debit) await cancelDebit(tx, debit);
  const charge = insertCharge(tx, {
    ...wanted,
    id,
    checkout_hash: owed.checkoutHash,
    priced_on: day,
    txid: randomBytes(16).toString('hex'),
    pix_key: pix.key,
    expiration_seconds: Math.floor((expiresAt - now.getTime()) / 1000),
    created_at: now,
    expires_at: new Date(expiresAt),
  });
  return { charge, isNew: true, withdrawn: debit };
}

function accepted(written: StoredCharge | Problem): StoredCharge {
  if (written instanceof Problem) throw written;
  return written;
}

/** Never created at the PSP by the request that began it: created now, its code would outlive its price. */
function isStale({ status, created_at }: ChargeRow, now: Date): boolean {
  return status === 'creating' && now.getTime() - created_at.getTime() >= IN_DOUBT_AFTER_MS;
}

/** The next day begins at midnight in São Paulo. */
function tooMany(now: Date): Problem {
  const seconds = Math.ceil((endOfDay(saoPauloDay(now.getTime())) - now.getTime()) / 1000);
  return tooManyCharges(MOST_A_DAY, seconds);
}

function refusal(refused: ChargeRefusal): Problem {
  switch (refused.code) {
    case 'installment_paid':
      return installmentPaid();
    case 'penalty_due':
      return penaltyDue();
    case 'extension_limit':
      return extensionLimit();
    case 'nothing_to_charge':
      return nothingToCharge();
    case 'amount_changed':
      return amountChanged(refused.value);
    case 'value_required':
      return valueRequired(refused.min, refused.max);
    case 'value_out_of_range':
      return valueOutOfRange('paid', refused.min, refused.max);
  }
}
