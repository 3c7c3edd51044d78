import { computeExpiryDay, computeLotDeductions, type Lot } from '#core/finance/cashback.ts';
import { type Day, endOfDay, saoPauloDay } from '#core/values/day.ts';
import { type Cents, cents, centsToReais, min } from '#core/values/money.ts';
import { applyReceipt, findDebt, INSTALLMENT_NOT_FOUND, installmentPaid, valueOutOfRange } from '#credit';
import { findCustomerId, lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import { isPosted, post } from '#ledger';
import type { Deps } from '#module';
import { type CustomerTx, customerTransaction } from '#platform/database/customer-transaction.ts';
import { newId } from '#platform/ids.ts';
import type { CronItem, Tasks } from '#platform/jobs/jobs.ts';
import { notFound } from '#platform/problem.ts';
import { adjustedAlready, cashbackTooLittle, noCashback } from './problems.ts';
import { findBalances } from './reading-store.ts';
import {
  type CashbackKind,
  deductFromLots,
  findLastLine,
  findLot,
  insertCredit,
  insertDebit,
  type LastLine,
  type LotRow,
  listCustomerIdsWithUnwrittenExpiries,
  listExpiredLots,
  listLots,
  saveLotExpiry,
  saveLotReversal,
} from './store/cashback.ts';

/** A credit or debit of cashback. The caller has locked the customer. */
type Movement = {
  readonly customerId: string;
  readonly kind: CashbackKind;
  /** When the cause of the movement happened, which may be before it was reported. */
  readonly causedAt: Date;
  /** A text that is shown to the customer. */
  readonly description: string;
  readonly checkoutHash?: string | null;
  readonly installmentId?: string | null;
  /** Reference of the posting, if the cause can be reported twice. The ledger rejects a second posting with the same reference. */
  readonly reference?: string;
};

export const toPostingKind = (kind: CashbackKind) => `cashback_${kind}`;

/**
 * Writes the lines of lots that have expired. Called before any other line is written, so that unwritten expiries always come after all
 * written lines, and queries can compute them. Returns the last line of the customer's statement.
 */
export async function writeDueExpiries(tx: CustomerTx, customerId: string, context: EventContext) {
  const today = saoPauloDay(context.now.getTime());
  const { has_expired_lots, ...lastLine } = await findLastLine(tx, customerId, today);
  return has_expired_lots ? writeExpiryLines(tx, customerId, lastLine, context) : lastLine;
}

/**
 * Credits cashback that is valid for 180 days from its cause. Returns the position of the line in the statement. `loadedLastLine` saves a
 * query if `writeDueExpiries` has just returned it.
 */
export async function creditCashback(
  tx: CustomerTx,
  movement: Movement & { readonly amountCents: number },
  context: EventContext,
  loadedLastLine?: LastLine,
): Promise<number> {
  const lastLine = loadedLastLine ?? (await writeDueExpiries(tx, movement.customerId, context));
  const { causedAt, amountCents } = movement;
  // Only earned cashback belongs to an installment. Cashback that was spent on an installment and credited again does not.
  const earningInstallmentId = movement.kind === 'earned' ? (movement.installmentId ?? null) : null;
  const expiresOn = computeExpiryDay(causedAt.getTime());
  const id = newId('csh', context.now);
  const line = postLine(tx, id, movement, amountCents, context.now);
  insertCredit(tx, { ...line, occurredAt: context.now }, { expiresOn, earningInstallmentId });
  const newLine = computeNextLine(lastLine, amountCents);
  await emitChange(tx, { ...movement, id, expiresOn, amountCents }, newLine, context);
  return newLine.position;
}

/** Debits cashback from the lots that expire first, even if the balance becomes negative. Returns the id of the line. */
export async function debitCashback(
  tx: CustomerTx,
  movement: Movement & { readonly amountCents: number },
  context: EventContext,
): Promise<string> {
  const lastLine = await writeDueExpiries(tx, movement.customerId, context);
  return writeDebit(tx, lastLine, movement, movement.amountCents, context);
}

/**
 * Reverses the part of a credit that has not expired: debits its lot first, then other lots. If they do not suffice, the balance becomes
 * negative, and the next credits reduce this debt. Idempotent.
 */
export async function reverseCashback(
  tx: CustomerTx,
  { customerId, position, causedAt, description }: ReversedCredit,
  context: EventContext,
): Promise<void> {
  const lastLine = await writeDueExpiries(tx, customerId, context);
  const lot = await findLot(tx, customerId, position);
  if (!lot) return;
  const amountCents = lot.amount_cents - lot.expired_cents;
  const purchaseFields = { checkoutHash: lot.checkout_hash, installmentId: lot.installment_id };
  const movement = { customerId, kind: 'reversed', causedAt, description, ...purchaseFields } as const;
  if (amountCents > 0) await writeDebit(tx, lastLine, movement, amountCents, context, position);
  await saveLotReversal(tx, customerId, position, context.now);
}

type ReversedCredit = {
  readonly customerId: string;
  /** The position of the credit in the statement. */
  readonly position: number;
  readonly causedAt: Date;
  readonly description: string;
};

/** Writes a line for each expired lot after `previousLine`. Returns the last of them. */
async function writeExpiryLines(
  tx: CustomerTx,
  customerId: string,
  previousLine: LastLine,
  context: EventContext,
): Promise<LastLine> {
  let lastLine = previousLine;
  const today = saoPauloDay(context.now.getTime());
  for (const lot of await listExpiredLots(tx, customerId, today)) {
    const { id, occurredAt } = toExpiry(lot);
    const movement = {
      customerId,
      kind: 'expired',
      causedAt: occurredAt,
      description: EXPIRED_DESCRIPTION,
      checkoutHash: lot.checkout_hash,
      installmentId: lot.installment_id,
    } as const;
    const amountCents = -lot.remaining_cents;
    insertDebit(tx, { ...postLine(tx, id, movement, amountCents, context.now), occurredAt }, lot.position);
    await saveLotExpiry(tx, customerId, lot.position);
    lastLine = computeNextLine(lastLine, amountCents);
    await emitChange(tx, { ...movement, id, expiresOn: null, amountCents }, lastLine, context);
  }
  return lastLine;
}

/** Computes the position and balance of the next line, as the trigger of the table does. */
const computeNextLine = ({ position, balance_cents }: LastLine, amountCents: number): LastLine => ({
  position: position + 1,
  balance_cents: balance_cents + amountCents,
});

export const EXPIRED_DESCRIPTION = 'Cashback expirado';

/** Returns the id and instant of the expiry of a lot. Both are the same before and after its line is written. */
export function toExpiry(lot: Pick<LotRow, 'id' | 'expires_on' | 'occurred_at'>) {
  const validUntil = endOfDay(lot.expires_on as Day);
  return {
    id: lot.id.replace(/^csh/, 'exp'),
    // A lot that was credited after its last day expires immediately.
    occurredAt: new Date(Math.max(validUntil, lot.occurred_at.getTime())),
  };
}

/** Writes a debit of `amountCents`, which is positive. Deducts it from the lot at `firstLotPosition`, if given, and then from the lots that expire first. */
async function writeDebit(
  tx: CustomerTx,
  lastLine: LastLine,
  movement: Movement,
  amountCents: number,
  context: EventContext,
  firstLotPosition?: number,
): Promise<string> {
  const lots = (await listLots(tx, movement.customerId)).map(toLot);
  const id = newId('csh', context.now);
  const line = postLine(tx, id, movement, -amountCents, context.now);
  insertDebit(tx, { ...line, occurredAt: context.now }, firstLotPosition ?? null);
  await deductFromLots(
    tx,
    movement.customerId,
    computeLotDeductions(lots, cents(amountCents), firstLotPosition),
  );
  const newLine = computeNextLine(lastLine, -amountCents);
  await emitChange(tx, { ...movement, id, expiresOn: null, amountCents: -amountCents }, newLine, context);
  return id;
}

const toLot = ({ position, expires_on, remaining_cents }: LotRow): Lot => ({
  position,
  expiresOn: expires_on as Day,
  remaining: cents(remaining_cents),
});

/** Queues the posting of a movement, and returns the line of the statement. `amountCents` is positive for a credit. */
function postLine(tx: CustomerTx, id: string, movement: Movement, amountCents: number, now: Date) {
  const { customerId, kind, causedAt, description, checkoutHash = null, installmentId = null } = movement;
  const reference = movement.reference ?? `cashback ${id}`;
  const entries = [
    { account: kind === 'redeemed' ? 'cashback_clearing' : 'cashback_expense', installmentId, amountCents },
    { account: 'cashback_owed', installmentId, amountCents: -amountCents },
  ] as const;
  const posting = { customerId, reference, kind: toPostingKind(kind), occurredAt: causedAt, entries };
  post(tx, posting, now);
  return { customerId, id, reference, kind, amountCents, description, checkoutHash, installmentId };
}

async function emitChange(
  tx: CustomerTx,
  movement: Movement & { id: string; expiresOn: Day | null; amountCents: number },
  { balance_cents }: LastLine,
  { events, now }: EventContext,
): Promise<void> {
  const { customerId, kind, id, expiresOn, checkoutHash = null, installmentId = null } = movement;
  const data = {
    id,
    kind,
    amount: centsToReais(movement.amountCents),
    balance: centsToReais(balance_cents),
    checkout_hash: checkoutHash,
    installment_id: installmentId,
    expires_on: expiresOn,
  };
  await events.emit(tx, { type: 'cashback.changed', customerId, data }, now);
}

type Adjustment = {
  /** The id or phone of the customer. */
  readonly customer: string;
  /** Positive to credit cashback, negative to debit it. */
  readonly amountCents: number;
  /** A text that is shown to the customer. */
  readonly reason: string;
  /** The operator's reference, e.g. a ticket. It identifies repeated adjustments. */
  readonly reference: string | null;
};

/** Credits cashback for the operator, or debits at most the balance. Returns the new balance. */
export async function adjustCashback(
  tx: CustomerTx,
  { customer, amountCents, reason, reference }: Adjustment,
  context: EventContext,
): Promise<{ customerId: string; balanceCents: number }> {
  const customerId = await findCustomerId(tx, customer);
  if (customerId === undefined || !(await lockCustomerById(tx, customerId)))
    throw notFound({
      en: `There is no customer '${customer}'.`,
      pt: `O cliente '${customer}' não existe.`,
    });
  const postingReference = reference === null ? null : `cashback adjusted ${reference}`;
  if (postingReference !== null && (await isPosted(tx, customerId, postingReference)))
    throw adjustedAlready(reference);
  const today = saoPauloDay(context.now.getTime());
  const { balance_cents: balanceBefore } = await findBalances(tx, customerId, today);
  if (amountCents < 0 && balanceBefore + amountCents < 0) throw cashbackTooLittle(balanceBefore);
  const movement = {
    customerId,
    kind: 'adjusted',
    causedAt: context.now,
    description: `Ajuste: ${reason}`,
    ...(postingReference !== null && { reference: postingReference }),
  } as const;
  if (amountCents > 0) await creditCashback(tx, { ...movement, amountCents }, context);
  else await debitCashback(tx, { ...movement, amountCents: -amountCents }, context);
  return { customerId, balanceCents: balanceBefore + amountCents };
}

type Redemption = {
  readonly customerId: string;
  readonly installmentId: string;
  /** Defaults to the available cashback, or to the amount that settles the installment now if that is less. */
  readonly value?: Cents;
};

/** Spends cashback on an installment. Locks the customer first, which serializes all changes of the cashback and the debt. */
export async function redeemCashback(
  tx: CustomerTx,
  { customerId, installmentId, value }: Redemption,
  context: EventContext,
): Promise<{ appliedCents: Cents; balanceCents: Cents }> {
  await lockCustomerById(tx, customerId);
  const { now } = context;
  const installment = await findDebt(tx, customerId, installmentId, now.getTime());
  if (!installment) throw notFound(INSTALLMENT_NOT_FOUND);
  if (installment.debt.status === 'paid') throw installmentPaid();
  const today = saoPauloDay(now.getTime());
  const availableCents = cents((await findBalances(tx, customerId, today)).balance_cents);
  if (availableCents <= 0) throw noCashback();
  const maxAmount = min(availableCents, installment.debt.settleAmount);
  const amountCents = value ?? maxAmount;
  if (amountCents < 1 || amountCents > maxAmount) throw valueOutOfRange('can be paid', cents(1), maxAmount);
  const purchaseFields = { checkoutHash: installment.checkoutHash, installmentId };
  const installmentName = `parcela ${installment.number} de ${installment.installmentsTotal}, ${installment.merchantName}`;
  const description = `Pago com cashback: ${installmentName}`;
  const cause = { kind: 'redeemed', causedAt: now, description } as const;
  const movement = { customerId, ...purchaseFields, ...cause, amountCents };
  const id = await debitCashback(tx, movement, context);
  const receivedPayment = {
    customerId,
    installmentId,
    reference: toReceiptReference(id),
    source: 'cashback',
    receivedAt: new Date(installment.debtAt),
    amountCents,
    purpose: 'pay',
    // If the PSP's clock is ahead, the receipt is dated after the known events, but priced today.
    ...(installment.debtAt > now.getTime() && { pricedOn: today }),
  } as const;
  const { toRefund, stranded } = await applyReceipt(tx, receivedPayment, context);
  if (toRefund.length + stranded.length > 0)
    throw new Error(`more cashback was spent than installment ${installmentId} owed`);
  return { appliedCents: amountCents, balanceCents: cents(availableCents - amountCents) };
}

/** Builds the reference of a receipt from the id of the line in the statement. */
export const toReceiptReference = (movementId: string) => `cashback ${movementId}`;

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    cashback_expire: NoPayload;
  }
}

const BATCH_SIZE = 500;

type ExpiryDeps = Pick<Deps, 'db' | 'clock' | 'events' | 'log'>;

export const createRewardsTasks = (deps: ExpiryDeps): Tasks => ({
  cashback_expire: async () => {
    const { customerCount } = await expireCashback(deps);
    if (customerCount > 0) deps.log.info({ customers: customerCount }, 'recorded expired cashback');
  },
});

/** Runs three minutes after every full hour, and so shortly after midnight in São Paulo. */
export const REWARDS_CRON: CronItem[] = [{ task: 'cashback_expire', match: '3 * * * *' }];

/**
 * Writes the lines of expired lots, customer by customer. May run at any time, because queries return the same before and after. A
 * failure for one customer does not stop the others.
 */
export async function expireCashback({ db, clock, events, log }: ExpiryDeps) {
  const now = clock.now();
  const today = saoPauloDay(now.getTime());
  let customerCount = 0;
  let failureCount = 0;
  const listNextIds = (afterId: string) =>
    listCustomerIdsWithUnwrittenExpiries(db, today, afterId, BATCH_SIZE);
  let ids = await listNextIds(''); // from the first customer
  while (ids.length > 0) {
    for (const id of ids) {
      try {
        await customerTransaction(db, id, async (tx) => {
          await lockCustomerById(tx, id);
          await writeDueExpiries(tx, id, { events, now });
        });
        customerCount++;
      } catch (error) {
        failureCount++;
        log.error({ err: error, customer_id: id }, 'could not record expired cashback');
      }
    }
    ids = await listNextIds(ids.at(-1)!);
  }
  if (failureCount > 0) throw new Error(`could not record expired cashback of ${failureCount} customers`);
  return { customerCount };
}
