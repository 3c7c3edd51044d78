import { addDays, type Day, daysBetween, saoPauloDay } from '#core/day.ts';
import { DAY_MS } from '#core/duration.ts';
import { type Cents, cents } from '#core/money.ts';
import { findPurchaseDebts } from '#credit';
import { findPayer, lockCustomerById } from '#customers';
import {
  type CustomerTx,
  customerTransaction,
  forCustomer,
} from '#platform/database/customer-transaction.ts';
import { findKept, type IdempotentRequest, once, purgeAnswer } from '#platform/http/idempotency.ts';
import { newId } from '#platform/ids.ts';
import { notFound } from '#platform/problem.ts';
import { createCharge } from '../charges/create-charge.ts';
import { LATEST_DAYS } from '../debits/debit-days.ts';
import { IN_DOUBT_AFTER_MS } from '../payments/sync-charge.ts';
import type { Pix } from '../pix.ts';
import { autopayActive, autopayUnavailable, nothingToDebit, pspUnavailable } from '../problems.ts';
import { PspRefused, PspUnavailable } from '../psp/index.ts';
import {
  type AuthorisationRow,
  findAuthorisation,
  findNewestAuthorisation,
  insertAuthorisation,
  markKnown,
  markLocated,
  markShown,
} from '../store/authorisations.ts';
import { type ChargeRow, findCharge } from '../store/charges.ts';
import { DISCARDED, EXPIRED, endIn, REPLACED } from './end-authorisation.ts';

/** How long a code that only authorises can be used. */
const LIFE_MS = DAY_MS;

type AuthorisationRequest = { customerId: string; hash: string; first: boolean };
type Plan = { startsOn: Day; endsOn: Day; least: Cents; firstInstallment: string; isLate: boolean };
type RequestedAuthorisation = { authorisation: AuthorisationRow; isNew: boolean };

/**
 * Asks for the authorisation of a purchase, or finds the one that waits for the payer. Three steps, as for a charge: it is written;
 * the PSP is asked to create it, outside of any transaction; its code is written. An interrupted request is completed by the next.
 */
export async function askAuthorisation(
  pix: Pix,
  wish: AuthorisationRequest,
  attempt: IdempotentRequest | undefined,
): Promise<RequestedAuthorisation & { replayed: boolean }> {
  if (!pix.account) throw autopayUnavailable();
  const repeated = attempt && (await findRepeated(pix, wish, attempt));
  if (repeated) return { ...repeated, replayed: true };
  const plan = await planOf(pix, wish);
  const charge = wish.first ? await firstCharge(pix, wish, plan) : undefined;
  const { authorisation, isNew } = await writeOnce(pix, wish.customerId, attempt, (tx) =>
    findOrWrite(tx, pix, wish, plan, charge),
  );
  if (authorisation.status !== 'creating') return { authorisation, isNew, replayed: false };
  pix.crash('after-authorisation-written');
  return { authorisation: await submit(pix, authorisation, charge, !isNew), isNew, replayed: false };
}

/** What an earlier request with the same Idempotency-Key asked for, completed if it was interrupted. */
async function findRepeated(
  pix: Pix,
  { customerId }: AuthorisationRequest,
  attempt: IdempotentRequest,
): Promise<RequestedAuthorisation | undefined> {
  const kept = await findKept(pix.db, attempt);
  if (!kept) return undefined;
  const authorisation = (await findAuthorisation(pix.db, customerId, kept.body))!;
  const isNew = kept.status === 201;
  if (authorisation.br_code !== null) return { authorisation, isNew };
  if (authorisation.status !== 'creating') {
    // It was abandoned before anybody saw a code.
    await purgeAnswer(pix.db, attempt);
    return undefined;
  }
  const { first_charge_id } = authorisation;
  const charge = first_charge_id === null ? undefined : await findCharge(pix.db, customerId, first_charge_id);
  return { authorisation: await submit(pix, authorisation, charge, true), isNew };
}

async function writeOnce(
  { db }: Pix,
  customerId: string,
  attempt: IdempotentRequest | undefined,
  write: (tx: CustomerTx) => Promise<RequestedAuthorisation>,
): Promise<RequestedAuthorisation> {
  const locked = async (tx: CustomerTx) => {
    await lockCustomerById(tx, customerId);
    return write(tx);
  };
  if (!attempt) return customerTransaction(db, customerId, locked);
  const { body: id, status } = await once(forCustomer(db, customerId), attempt, async (tx) => {
    const { authorisation, isNew } = await locked(tx);
    return { status: isNew ? 201 : 200, body: authorisation.id };
  });
  return { authorisation: (await findAuthorisation(db, customerId, id))!, isNew: status === 201 };
}

/** What is to be debited. Nothing that falls due too soon, nothing that is overdue, and not what the code itself pays. */
async function planOf({ db, clock }: Pix, { customerId, hash, first }: AuthorisationRequest): Promise<Plan> {
  const now = clock.now().getTime();
  const today = saoPauloDay(now);
  const purchase = await findPurchaseDebts(db, customerId, hash, now);
  if (!purchase)
    throw notFound({ en: 'You have no purchase with this hash.', pt: 'Você não tem compra com este hash.' });
  const owed = purchase.installments.filter(({ debt }) => debt.status !== 'paid');
  const debited = owed.filter(
    ({ debt }, i) => !(first && i === 0) && daysBetween(today, debt.dueOn) >= LATEST_DAYS,
  );
  if (purchase.isOver || debited.length === 0) throw nothingToDebit();
  // Before a code for the first installment is made, which would withdraw its debit.
  if ((await findNewestAuthorisation(db, customerId, hash))?.status === 'active') throw autopayActive();
  const days = debited.map(({ debt }) => debt.dueOn).toSorted();
  return {
    startsOn: days[0]!,
    // One more week, so that the authorisation covers the last retries.
    endsOn: addDays(days.at(-1)!, 7),
    least: cents(Math.max(...debited.map(({ settlesOnDueDay }) => settlesOnDueDay))),
    firstInstallment: owed[0]!.id,
    isLate: owed[0]!.debt.status === 'overdue',
  };
}

/** The ordinary charge that the code also pays. */
async function firstCharge(pix: Pix, { customerId }: AuthorisationRequest, plan: Plan): Promise<ChargeRow> {
  const type = plan.isLate ? 'settle_with_penalty' : 'settle';
  const wish = { customerId, installmentId: plan.firstInstallment, type } as const;
  return (await createCharge(pix, wish, undefined)).charge;
}

async function findOrWrite(
  tx: CustomerTx,
  pix: Pix,
  { customerId, hash }: AuthorisationRequest,
  plan: Plan,
  charge: ChargeRow | undefined,
): Promise<RequestedAuthorisation> {
  const now = pix.clock.now();
  const known = await findNewestAuthorisation(tx, customerId, hash);
  if (known?.status === 'active') throw autopayActive();
  if (known && (known.status === 'creating' || known.status === 'pending')) {
    const isSame = known.first_charge_id === (charge?.id ?? null) && known.expires_at > now;
    const isStale =
      known.status === 'creating' && now.getTime() - known.created_at.getTime() >= IN_DOUBT_AFTER_MS;
    if (isSame && !isStale) return { authorisation: known, isNew: false };
    const seen = known.expires_at <= now ? EXPIRED : REPLACED;
    await endIn(tx, pix, known, known.status === 'creating' ? DISCARDED : seen, now);
  }
  const authorisation = await insertAuthorisation(tx, {
    customer_id: customerId,
    id: newId('aut', now),
    checkout_hash: hash,
    first_charge_id: charge?.id ?? null,
    starts_on: plan.startsOn,
    ends_on: plan.endsOn,
    least_cents: plan.least,
    created_at: now,
    expires_at: charge?.expires_at ?? new Date(now.getTime() + LIFE_MS),
    look_on: saoPauloDay(now.getTime()),
    synced_at: now,
  });
  return { authorisation, isNew: true };
}

async function submit(
  pix: Pix,
  authorisation: AuthorisationRow,
  charge: ChargeRow | undefined,
  inDoubt: boolean,
): Promise<AuthorisationRow> {
  try {
    return await createAtPsp(pix, authorisation, charge, inDoubt);
  } catch (error) {
    if (!(error instanceof PspUnavailable || error instanceof PspRefused)) throw error;
    pix.log.warn({ err: error, autopay_id: authorisation.id }, 'the PSP made no authorisation');
    throw pspUnavailable({
      en: 'The PSP cannot make an authorisation just now.',
      pt: 'O PSP não consegue gerar a autorização agora.',
      headers: { 'retry-after': '2' },
    });
  }
}

/** Its location is stored first: by it an authorisation whose answer was lost is found again. */
async function createAtPsp(
  pix: Pix,
  authorisation: AuthorisationRow,
  charge: ChargeRow | undefined,
  inDoubt: boolean,
): Promise<AuthorisationRow> {
  const { customer_id, id, checkout_hash } = authorisation;
  const psp = pix.psp();
  let locationId = authorisation.location_id;
  if (locationId === null) {
    locationId = (await psp.createRecLocation()).id;
    await markLocated(pix.db, authorisation, locationId);
    locationId = (await findAuthorisation(pix.db, customer_id, id))!.location_id!;
  }
  const purchase = (await findPurchaseDebts(pix.db, customer_id, checkout_hash, pix.clock.now().getTime()))!;
  const firstTxid = charge?.txid ?? null;
  const made = await psp.createRec(
    {
      contract: checkout_hash,
      subject: purchase.merchantName,
      payer: (await findPayer(pix.db, customer_id))!,
      from: authorisation.starts_on as Day,
      until: authorisation.ends_on as Day,
      leastCents: cents(authorisation.least_cents),
      locationId,
      firstTxid,
    },
    { inDoubt },
  );
  pix.crash('after-rec-created');
  await pix.db.transaction((tx) => markKnown(tx, authorisation, made.id));
  const shown = (await psp.getRec(made.id, firstTxid)) ?? made;
  const brCode = psp.codeOf(shown, charge?.location ?? null);
  if (brCode === null)
    throw new PspUnavailable('garbled', 'none', { note: 'an authorisation without a code' });
  const isShown = await pix.db.transaction((tx) => markShown(tx, authorisation, brCode, pix.clock.now()));
  const now = (await findAuthorisation(pix.db, customer_id, id))!;
  if (isShown || now.status === 'pending' || now.status === 'active') return now;
  throw new PspUnavailable('in_doubt', 'none', { note: 'it was given up meanwhile' });
}
