import { addDays, type Day, daysBetween, saoPauloDay } from '#core/values/day.ts';
import { DAY_MS } from '#core/values/duration.ts';
import { cents } from '#core/values/money.ts';
import { findPurchaseDebts } from '#credit';
import { findPayer } from '#customers';
import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import { shareTransactions } from '#platform/database/shared-transaction.ts';
import {
  deleteStoredResponse,
  findStoredResponse,
  type IdempotentRequest,
  runOnce,
} from '#platform/http/idempotency.ts';
import { newId } from '#platform/ids.ts';
import { notFound } from '#platform/problem.ts';
import { createCharge } from '../charges/create-charge.ts';
import { MIN_LEAD_DAYS } from '../debits.ts';
import { isAbandoned, type Pix, prependCustomerLock, withLockedCustomerInBatch } from '../pix.ts';
import { autopayActive, autopayUnavailable, nothingToDebit, pspUnavailable } from '../problems.ts';
import { isPspError } from '../psp/index.ts';
import {
  type AuthorisationRow,
  findAuthorisation,
  findNewestAuthorisation,
  insertAuthorisation,
  queueRecId,
  saveBrCode,
  saveLocationId,
} from '../store/authorisations.ts';
import { type ChargeRow, findCharge } from '../store/charges.ts';
import { DISCARDED, EXPIRED, endLockedAuthorisation, REPLACED } from './sync-authorisation.ts';

const CODE_TTL_MS = DAY_MS;

type AuthorisationInput = { customerId: string; hash: string; payFirstInstallment: boolean };
type DebitPlan = Awaited<ReturnType<typeof planDebits>>;
type AuthorisationResult = { authorisation: AuthorisationRow; isNew: boolean };

/**
 * Requests the authorisation to debit the installments of a purchase, or returns the pending one. It takes three steps, like a
 * charge: the row is inserted; the PSP creates the authorisation, outside any transaction; its code is saved. The next request
 * completes an interrupted one.
 */
export async function requestAuthorisation(
  pix: Pix,
  input: AuthorisationInput,
  idempotentRequest: IdempotentRequest | undefined,
): Promise<AuthorisationResult & { replayed: boolean }> {
  if (!pix.account) throw autopayUnavailable();
  const repeatedResult = idempotentRequest && (await completeRepeatedRequest(pix, input, idempotentRequest));
  if (repeatedResult) return { ...repeatedResult, replayed: true };
  const plan = await planDebits(pix, input);
  const charge = input.payFirstInstallment ? await createFirstInstallmentCharge(pix, input, plan) : undefined;
  const { authorisation, isNew } = await writeOnce(pix, input.customerId, idempotentRequest, (tx) =>
    findOrInsertAuthorisation(tx, pix, input, plan, charge),
  );
  if (authorisation.status !== 'creating') return { authorisation, isNew, replayed: false };
  pix.failpoint('after-authorisation-written');
  const submission = { charge, merchantName: plan.merchantName, readFirst: !isNew };
  return { authorisation: await submitAuthorisation(pix, authorisation, submission), isNew, replayed: false };
}

/** Returns the result of an earlier request with the same Idempotency-Key, and completes that request if it was interrupted. */
async function completeRepeatedRequest(
  pix: Pix,
  { customerId }: AuthorisationInput,
  idempotentRequest: IdempotentRequest,
): Promise<AuthorisationResult | undefined> {
  const storedResponse = await findStoredResponse(pix.db, idempotentRequest);
  if (!storedResponse) return undefined;
  const authorisation = (await findAuthorisation(pix.db, customerId, storedResponse.body))!;
  const isNew = storedResponse.status === 201;
  if (authorisation.br_code !== null) return { authorisation, isNew };
  if (authorisation.status !== 'creating') {
    // The authorisation was discarded before its code was returned, so this request starts over.
    await deleteStoredResponse(pix.db, idempotentRequest);
    return undefined;
  }
  const { first_charge_id, checkout_hash } = authorisation;
  const charge = first_charge_id === null ? undefined : await findCharge(pix.db, customerId, first_charge_id);
  const debts = await findPurchaseDebts(pix.db.shared, customerId, checkout_hash, pix.clock.now().getTime());
  const submission = { charge, merchantName: debts!.merchantName, readFirst: true };
  return { authorisation: await submitAuthorisation(pix, authorisation, submission), isNew };
}

/** Runs `write` with the customer locked. If the request has an Idempotency-Key, runs it once for that key. */
async function writeOnce(
  pix: Pix,
  customerId: string,
  idempotentRequest: IdempotentRequest | undefined,
  write: (tx: CustomerTx) => Promise<AuthorisationResult>,
): Promise<AuthorisationResult> {
  if (!idempotentRequest) return withLockedCustomerInBatch(pix, customerId, write);
  const { db } = pix;
  const writeLocked = prependCustomerLock(customerId, write);
  const { body: id, status } = await runOnce(forCustomer(db, customerId), idempotentRequest, async (tx) => {
    const { authorisation, isNew } = await writeLocked(tx);
    return { status: isNew ? 201 : 200, body: authorisation.id };
  });
  return { authorisation: (await findAuthorisation(db, customerId, id))!, isNew: status === 201 };
}

/** Selects the unpaid installments that fall due late enough for a debit, except the first one if the code itself pays it. */
async function planDebits({ db, clock }: Pix, { customerId, hash, payFirstInstallment }: AuthorisationInput) {
  const now = clock.now().getTime();
  const today = saoPauloDay(now);
  const [debts, newestAuthorisation] = await Promise.all([
    findPurchaseDebts(db.shared, customerId, hash, now),
    findNewestAuthorisation(db.shared, customerId, hash),
  ]);
  if (!debts)
    throw notFound({ en: 'You have no purchase with this hash.', pt: 'Você não tem compra com este hash.' });
  const unpaidInstallments = debts.installments.filter(({ debt }) => debt.status !== 'paid');
  const [firstInstallment, ...laterInstallments] = unpaidInstallments;
  const debitableInstallments = (payFirstInstallment ? laterInstallments : unpaidInstallments).filter(
    ({ debt }) => daysBetween(today, debt.dueOn) >= MIN_LEAD_DAYS,
  );
  if (debts.isClosed || debitableInstallments.length === 0) throw nothingToDebit();
  // Checked before a charge for the first installment is created, because a new charge cancels the debit of the installment.
  if (newestAuthorisation?.status === 'active') throw autopayActive();
  const dueDays = debitableInstallments.map(({ debt }) => debt.dueOn).toSorted();
  return {
    merchantName: debts.merchantName,
    startsOn: dueDays[0]!,
    // A week after the last due day, so that the authorisation covers the last retries.
    endsOn: addDays(dueDays.at(-1)!, 7),
    maxDebit: cents(
      Math.max(...debitableInstallments.map(({ settleAmountOnDueDay }) => settleAmountOnDueDay)),
    ),
    firstInstallmentId: firstInstallment!.id,
    isFirstInstallmentOverdue: firstInstallment!.debt.status === 'overdue',
  };
}

async function createFirstInstallmentCharge(pix: Pix, { customerId }: AuthorisationInput, plan: DebitPlan) {
  const type = plan.isFirstInstallmentOverdue ? 'settle_with_penalty' : 'settle';
  const input = { customerId, installmentId: plan.firstInstallmentId, type } as const;
  return (await createCharge(pix, input)).charge;
}

async function findOrInsertAuthorisation(
  tx: CustomerTx,
  pix: Pix,
  { customerId, hash }: AuthorisationInput,
  plan: DebitPlan,
  charge: ChargeRow | undefined,
): Promise<AuthorisationResult> {
  const now = pix.clock.now();
  const current = await findNewestAuthorisation(tx, customerId, hash);
  if (current?.status === 'active') throw autopayActive();
  if (current && (current.status === 'creating' || current.status === 'pending')) {
    const isUsable = current.first_charge_id === (charge?.id ?? null) && current.expires_at > now;
    if (isUsable && !isAbandoned(current, now)) return { authorisation: current, isNew: false };
    const pendingEnd = current.expires_at <= now ? EXPIRED : REPLACED;
    const end = current.status === 'creating' ? DISCARDED : pendingEnd;
    await endLockedAuthorisation(tx, pix, current, end, now);
  }
  const authorisation = insertAuthorisation(tx, {
    customer_id: customerId,
    id: newId('aut', now),
    checkout_hash: hash,
    first_charge_id: charge?.id ?? null,
    starts_on: plan.startsOn,
    ends_on: plan.endsOn,
    least_cents: plan.maxDebit,
    created_at: now,
    expires_at: charge?.expires_at ?? new Date(now.getTime() + CODE_TTL_MS),
    look_on: saoPauloDay(now.getTime()),
    synced_at: now,
  });
  return { authorisation, isNew: true };
}

type Submission = {
  readonly charge: ChargeRow | undefined;
  readonly merchantName: string;
  readonly readFirst: boolean;
};

async function submitAuthorisation(
  pix: Pix,
  authorisation: AuthorisationRow,
  submission: Submission,
): Promise<AuthorisationRow> {
  const createdAuthorisation = await createAtPsp(pix, authorisation, submission).catch((error: unknown) => {
    if (!isPspError(error)) throw error;
    pix.log.warn({ err: error, autopay_id: authorisation.id }, 'the PSP did not create an authorisation');
  });
  // If the authorisation has ended meanwhile, its code must not be returned. The next request creates another one.
  if (createdAuthorisation?.status === 'pending' || createdAuthorisation?.status === 'active')
    return createdAuthorisation;
  throw pspUnavailable({
    en: 'The PSP cannot create an authorisation at the moment.',
    pt: 'O PSP não consegue gerar a autorização agora.',
    headers: { 'retry-after': '2' },
  });
}

/**
 * Creates the authorisation at the PSP, and saves its code. The location id is saved first: if the PSP's response is lost, the
 * authorisation is found by its location. Returns undefined if the PSP returned no code.
 */
async function createAtPsp(
  pix: Pix,
  authorisation: AuthorisationRow,
  { charge, merchantName, readFirst }: Submission,
): Promise<AuthorisationRow | undefined> {
  const { customer_id, id, checkout_hash } = authorisation;
  const psp = pix.psp();
  const { shared } = pix.db;
  const createLocation = async () =>
    saveLocationId(shared, authorisation, (await psp.createRecLocation()).id);
  const [locationId, payer] = await Promise.all([
    authorisation.location_id ?? createLocation(),
    findPayer(shared, customer_id),
  ]);
  const firstTxid = charge?.txid ?? null;
  const createdRecurrence = await psp.createRec(
    {
      contract: checkout_hash,
      subject: merchantName,
      payer: payer!,
      from: authorisation.starts_on as Day,
      until: authorisation.ends_on as Day,
      maxDebitCents: cents(authorisation.least_cents),
      locationId,
      firstTxid,
    },
    { readFirst },
  );
  pix.failpoint('after-rec-created');
  await shareTransactions(pix.db, [id]).transaction(async (tx) =>
    queueRecId(tx, authorisation, createdRecurrence.id),
  );
  const recurrence = (await psp.getRec(createdRecurrence.id, firstTxid)) ?? createdRecurrence;
  const brCode = psp.resolveBrCode(recurrence, charge?.location ?? null);
  if (brCode === null) {
    pix.log.warn({ autopay_id: id }, 'the PSP created an authorisation without a code');
    return undefined;
  }
  return saveBrCode(shared, authorisation, brCode, pix.clock.now());
}
