import { randomBytes } from 'node:crypto';
import {
  type ChargeRefusal,
  type ChargeType,
  computeChargeExpiry,
  quoteCharge,
} from '#core/finance/charge.ts';
import { endOfDay, saoPauloDay, startOfDay } from '#core/values/day.ts';
import { MINUTE_MS } from '#core/values/duration.ts';
import { type Cents, cents } from '#core/values/money.ts';
import { findDebt, INSTALLMENT_NOT_FOUND, installmentPaid, valueOutOfRange } from '#credit';
import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import { sharedTransaction } from '#platform/database/shared-transaction.ts';
import { deleteStoredResponse, type IdempotentRequest, runOnce } from '#platform/http/idempotency.ts';
import { newId } from '#platform/ids.ts';
import { notFound, Problem } from '#platform/problem.ts';
import { isAbandoned, type Pix, prependCustomerLock } from '../pix.ts';
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
import { type ChargeTerms, isPspError, PspRefused, type PutCharge } from '../psp/index.ts';
import { cancelDebit, cancelInstallmentCharges } from '../settlement/cancel-charges.ts';
import { isRemovedAtPsp, saveCreatedCharge, syncCharge } from '../settlement/sync-charge.ts';
import { type ChargeRow, findCharge, findLiveCharges, markDiscarded, queueCharge } from '../store/charges.ts';

type ChargeInput = { customerId: string; installmentId: string; type: ChargeType; value?: Cents };
/** `isRetry`: this request has already inserted a charge, which was discarded. */
type ChargeRequest = ChargeInput & { isRetry: boolean };

type StoredCharge = { charge: ChargeRow; isNew: boolean; cancelledDebit?: ChargeRow | undefined };
/** `replayed`: the result of an earlier request with the same Idempotency-Key. */
type CreatedCharge = StoredCharge & { replayed: boolean };

const MAX_CHARGES_PER_DAY = 30;
/** An existing code older than this is returned only after checking at the PSP that it can still be paid. */
const RECHECK_AFTER_MS = 5 * MINUTE_MS;

/**
 * Creates a charge, or returns the existing one. It takes three steps: the charge is inserted with its txid; the PSP creates it,
 * outside any transaction; the PSP's response is saved. The first step determines the charge, also for a repeated request, so the
 * next request completes an interrupted one.
 */
export async function createCharge(
  pix: Pix,
  input: ChargeInput,
  idempotentRequest?: IdempotentRequest,
): Promise<CreatedCharge> {
  for (const isRetry of [false, true]) {
    const storedCharge = await findOrInsertCharge(pix, { ...input, isRetry }, idempotentRequest);
    pix.failpoint('after-charge-written');
    // The debit is cancelled at the PSP before a code exists, or the installment could be paid twice. If the PSP fails, a job cancels the debit later.
    if (storedCharge.cancelledDebit) await tryToSync(pix, storedCharge.cancelledDebit);
    const charge = await ensurePayableAtPsp(pix, storedCharge);
    const isPayable = charge !== undefined && charge.br_code !== null;
    if (isPayable) {
      pix.metrics.charges.inc({ outcome: storedCharge.isNew && !storedCharge.replayed ? 'made' : 'found' });
      return { ...storedCharge, charge };
    }
    // The charge was discarded, or another payment of the installment cancelled it: start over with the amount owed now.
    if (idempotentRequest) await deleteStoredResponse(pix.db, idempotentRequest);
  }
  throw pspUnavailable({
    en: 'The charge could not be created at the moment.',
    pt: 'Não foi possível gerar a cobrança agora.',
    headers: { 'retry-after': '1' },
  });
}

/** Creates the charge at the PSP, or checks that the existing one is still payable there. Returns undefined if it is not payable. */
async function ensurePayableAtPsp(pix: Pix, { charge, isNew, replayed }: CreatedCharge) {
  const now = pix.clock.now();
  // The charge was priced too long ago: if the PSP created it now, its code could be paid after the price has changed.
  if (isAbandoned(charge, now)) {
    await markDiscarded(pix.db, charge);
    return undefined;
  }
  if (charge.status === 'creating') return submitCharge(pix, charge, { readFirst: !isNew || replayed });
  const ageMs = now.getTime() - charge.created_at.getTime();
  if (charge.status !== 'pending' || replayed || ageMs < RECHECK_AFTER_MS) return charge;
  // The code is most likely payable: banks may reach the PSP when we cannot.
  if (!(await tryToSync(pix, charge))) return charge;
  const syncedCharge = (await findCharge(pix.db, charge.customer_id, charge.id))!;
  return syncedCharge.status === 'pending' ? syncedCharge : undefined;
}

async function tryToSync(pix: Pix, charge: ChargeRow): Promise<boolean> {
  try {
    await syncCharge(pix, charge);
    return true;
  } catch (error) {
    if (isPspError(error)) return false;
    throw error;
  }
}

async function findOrInsertCharge(
  pix: Pix,
  input: ChargeRequest,
  idempotentRequest: IdempotentRequest | undefined,
): Promise<CreatedCharge> {
  const { db } = pix;
  const { customerId } = input;
  const writeLocked = prependCustomerLock(customerId, (tx) => writeCharge(tx, pix, input));
  if (!idempotentRequest) {
    // A problem is thrown after the commit: its request has written nothing, and must not roll back the other requests in the
    // shared transaction.
    const chargeOrProblem = await sharedTransaction(db, customerId, writeLocked);
    return { ...throwIfProblem(chargeOrProblem), replayed: false };
  }
  const response = await runOnce(forCustomer(db, customerId), idempotentRequest, async (tx) => {
    const storedCharge = throwIfProblem(await writeLocked(tx));
    return { ...storedCharge, status: storedCharge.isNew ? 201 : 200, body: storedCharge.charge.id };
  });
  if (!response.replayed) return response;
  const charge = await findCharge(db, customerId, response.body);
  return { charge: charge!, isNew: response.status === 201, replayed: true };
}

/**
 * Inserts the charge. A problem is returned before anything is written; an exception rolls the transaction back. The caller has
 * locked the customer, so that a concurrent request finds this charge and every arrived payment is considered.
 */
async function writeCharge(tx: CustomerTx, pix: Pix, input: ChargeRequest): Promise<StoredCharge | Problem> {
  const { customerId, installmentId, type } = input;
  const now = pix.clock.now();
  const today = saoPauloDay(now.getTime());
  const [installment, { liveCharges, createdCount, debit }] = await Promise.all([
    findDebt(tx, customerId, installmentId, now.getTime()),
    findLiveCharges(tx, { customerId, installmentId, type, now, countedFrom: new Date(startOfDay(today)) }),
  ]);
  if (!installment) return notFound(INSTALLMENT_NOT_FOUND);
  const quote = quoteCharge(installment.debt, installment.terms, type, input.value);
  if (!quote.ok) return toProblem(quote);
  const requestedCharge = {
    customer_id: customerId,
    installment_id: installmentId,
    type,
    value_cents: quote.value as number,
  };
  const sameCharge = liveCharges.find(({ value_cents }) => value_cents === requestedCharge.value_cents);
  if (sameCharge && !isAbandoned(sameCharge, now)) return { charge: sameCharge, isNew: false };
  // A newer request was for another amount, and its code may already have been returned.
  if (input.isRetry && liveCharges.some((charge) => charge !== sameCharge)) return chargeReplaced();
  if (createdCount >= MAX_CHARGES_PER_DAY) return createDailyLimitProblem(now);
  if (sameCharge) await markDiscarded(tx, sameCharge);
  if (liveCharges.length > 0) await cancelInstallmentCharges(tx, requestedCharge, { now, type });
  const cancelledDebit = debit && (await cancelDebit(tx, debit));
  const expiresAt = computeChargeExpiry(now.getTime());
  const charge = queueCharge(tx, {
    ...requestedCharge,
    id: newId('pix', now),
    checkout_hash: installment.checkoutHash,
    priced_on: today,
    txid: randomBytes(16).toString('hex'),
    pix_key: pix.pixKey,
    expiration_seconds: Math.floor((expiresAt - now.getTime()) / 1000),
    created_at: now,
    expires_at: new Date(expiresAt),
  });
  return { charge, isNew: true, cancelledDebit };
}

function throwIfProblem(chargeOrProblem: StoredCharge | Problem): StoredCharge {
  if (chargeOrProblem instanceof Problem) throw chargeOrProblem;
  return chargeOrProblem;
}

/** The limit is reset at midnight in São Paulo. */
function createDailyLimitProblem(now: Date): Problem {
  const seconds = Math.ceil((endOfDay(saoPauloDay(now.getTime())) - now.getTime()) / 1000);
  return tooManyCharges(MAX_CHARGES_PER_DAY, seconds);
}

function toProblem(refusal: ChargeRefusal): Problem {
  switch (refusal.code) {
    case 'amount_changed':
      return amountChanged(refusal.value);
    case 'value_required':
      return valueRequired(refusal.min, refusal.max);
    case 'value_out_of_range':
      return valueOutOfRange('can be paid', refusal.min, refusal.max);
    default:
      return PROBLEM_FACTORIES[refusal.code]();
  }
}

const PROBLEM_FACTORIES = {
  installment_paid: installmentPaid,
  penalty_due: penaltyDue,
  extension_limit: extensionLimit,
  nothing_to_charge: nothingToCharge,
};

const RETRY_IN_2_SECONDS = { headers: { 'retry-after': '2' } };

/**
 * Creates a stored charge at the PSP, and saves the response. Returns undefined if the charge was cancelled meanwhile. If the PSP is
 * unavailable, the charge stays as it is, for the next request or for reconciliation.
 */
async function submitCharge(pix: Pix, charge: ChargeRow, { readFirst }: { readFirst: boolean }) {
  const response = await putAtPsp(pix, charge, { readFirst });
  pix.failpoint('after-psp-put');
  const isPayable =
    response.kind === 'created' && response.charge.brCode !== null && !isRemovedAtPsp(response.charge);
  if (!isPayable) {
    const { txid } = charge;
    const storedCharge = await findCharge(pix.db, charge.customer_id, charge.id);
    // Another payment of the installment arrived first, and the charge was removed.
    if (storedCharge!.status !== 'creating') return undefined;
    const { kind, charge: pspCharge } = response;
    pix.log.error({ txid, kind, status: pspCharge.status }, 'the PSP returned a charge that cannot be paid');
    await markDiscarded(pix.db, charge);
    throw pspUnavailable({
      en: 'The PSP did not create a charge that can be paid.',
      pt: 'O PSP não gerou uma cobrança que possa ser paga.',
      ...RETRY_IN_2_SECONDS,
    });
  }
  const storedCharge = await saveCreatedCharge(pix, charge, response.charge);
  pix.failpoint('after-charge-pending');
  return storedCharge;
}

async function putAtPsp(pix: Pix, charge: ChargeRow, options: { readFirst: boolean }): Promise<PutCharge> {
  try {
    return await pix.psp().putCob(charge.txid, toChargeTerms(charge), options);
  } catch (error) {
    if (!isPspError(error)) throw error;
    pix.metrics.charges.inc({ outcome: 'psp_unavailable' });
    if (error instanceof PspRefused) {
      // Nothing was created. The cause is most likely one of our settings.
      pix.log.error({ err: error, txid: charge.txid }, 'the PSP refused a charge');
      await markDiscarded(pix.db, charge);
    }
    throw pspUnavailable({
      en: 'The PSP cannot create a charge at the moment.',
      pt: 'O PSP não consegue gerar uma cobrança agora.',
      ...RETRY_IN_2_SECONDS,
    });
  }
}

/** Renders the same terms each time, because a charge at the PSP is recognised as ours by its terms. */
function toChargeTerms(charge: ChargeRow): ChargeTerms {
  return {
    amountCents: cents(charge.value_cents),
    expirationSeconds: charge.expiration_seconds,
    key: charge.pix_key,
    note: PAYER_NOTES[charge.type],
  };
}

const PAYER_NOTES: Record<ChargeRow['type'], string> = {
  settle: 'Pagamento de parcela',
  settle_with_penalty: 'Pagamento de parcela com encargos',
  settle_partial: 'Pagamento parcial de parcela',
  extend: 'Prorrogação de parcela',
};
