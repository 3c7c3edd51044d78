import { type Lot, lastDayOf, takeFrom } from '#core/cashback.ts';
import { type Day, endOfDay, saoPauloDay } from '#core/day.ts';
import { cents, reaisOf } from '#core/money.ts';
import type { EventContext } from '#events';
import { post } from '#ledger';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { newId } from '#platform/ids.ts';
import {
  findLot,
  type LotRow,
  listExpired,
  listLots,
  markExpired,
  markReversed,
  markTaken,
} from './store/lots.ts';
import { findLastLine, insertCredit, insertDebit, type Kind, type LastLine } from './store/movements.ts';

/** A movement of cashback, for which the caller has locked the customer. */
type Movement = {
  readonly customerId: string;
  readonly kind: Kind;
  /** When its cause happened, which may be before it was reported. */
  readonly causedAt: Date;
  /** What the customer reads. */
  readonly description: string;
  readonly checkoutHash?: string | null;
  readonly installmentId?: string | null;
  /** The reference of the posting, if its cause can be reported twice; the ledger refuses the second one. */
  readonly reference?: string;
};

export const postingKind = (kind: Kind) => `cashback_${kind}`;

/**
 * The end of a customer's statement. Expired lots are written before anything else, so unwritten expiries always come after all
 * written lines, and a reader can compute them.
 */
export async function readAccount(
  tx: CustomerTx,
  customerId: string,
  context: EventContext,
): Promise<LastLine> {
  const today = saoPauloDay(context.now.getTime());
  const { has_expired, ...last } = await findLastLine(tx, customerId, today);
  return has_expired ? writeExpired(tx, customerId, last, context) : last;
}

/** Credits cashback that is valid for 180 days from its cause. Returns its position in the statement. `account`: as just read. */
export async function creditCashback(
  tx: CustomerTx,
  movement: Movement & { readonly amountCents: number },
  context: EventContext,
  account?: LastLine,
): Promise<number> {
  const last = account ?? (await readAccount(tx, movement.customerId, context));
  const { causedAt, amountCents } = movement;
  // Of an installment is what it has earned, once; not what was spent on it.
  const earnedBy = movement.kind === 'earned' ? (movement.installmentId ?? null) : null;
  const expiresOn = lastDayOf(causedAt.getTime());
  const id = newId('csh', context.now);
  const line = postLine(tx, id, movement, amountCents, context.now);
  insertCredit(tx, { ...line, occurredAt: context.now }, { expiresOn, earnedBy });
  const written = after(last, amountCents);
  await emitChanges(tx, { ...movement, id, expiresOn, amountCents }, written, context);
  return written.position;
}

/** Debits cashback, from what expires first. Does not check the balance. Returns the id of its line. */
export async function debitCashback(
  tx: CustomerTx,
  movement: Movement & { readonly amountCents: number },
  context: EventContext,
): Promise<string> {
  const last = await readAccount(tx, movement.customerId, context);
  return debit(tx, last, movement, movement.amountCents, context);
}

/**
 * Reverses a credit: from what is left of its lot, else from other lots, else as a debt that the next cashback pays first. What
 * of it has expired is gone already. Idempotent.
 */
export async function reverseCashback(
  tx: CustomerTx,
  { customerId, position, causedAt, description }: ReversedCredit,
  context: EventContext,
): Promise<void> {
  const last = await readAccount(tx, customerId, context);
  const lot = await findLot(tx, customerId, position);
  if (!lot) return;
  const amountCents = lot.amount_cents - lot.expired_cents;
  const shared = { checkoutHash: lot.checkout_hash, installmentId: lot.installment_id };
  const movement = { customerId, kind: 'reversed', causedAt, description, ...shared } as const;
  if (amountCents > 0) await debit(tx, last, movement, amountCents, context, position);
  await markReversed(tx, customerId, position, context.now);
}

type ReversedCredit = {
  readonly customerId: string;
  readonly position: number;
  readonly causedAt: Date;
  readonly description: string;
};

async function writeExpired(
  tx: CustomerTx,
  customerId: string,
  before: LastLine,
  context: EventContext,
): Promise<LastLine> {
  let last = before;
  const today = saoPauloDay(context.now.getTime());
  for (const lot of await listExpired(tx, customerId, today)) {
    const { id, occurredAt } = expiryOf(lot);
    const movement = {
      customerId,
      kind: 'expired',
      causedAt: occurredAt,
      description: EXPIRED,
      checkoutHash: lot.checkout_hash,
      installmentId: lot.installment_id,
    } as const;
    const amountCents = -lot.remaining_cents;
    insertDebit(tx, { ...postLine(tx, id, movement, amountCents, context.now), occurredAt }, lot.position);
    await markExpired(tx, customerId, lot.position);
    last = after(last, amountCents);
    await emitChanges(tx, { ...movement, id, expiresOn: null, amountCents }, last, context);
  }
  return last;
}

/** Where a line stands that follows this one. */
const after = ({ position, balance_cents }: LastLine, amountCents: number): LastLine => ({
  position: position + 1,
  balance_cents: balance_cents + amountCents,
});

export const EXPIRED = 'Cashback expirado';

/** The expiry of a lot in the statement: the same before and after it is written. */
export function expiryOf(lot: Pick<LotRow, 'id' | 'expires_on' | 'occurred_at'>) {
  const over = endOfDay(lot.expires_on as Day);
  return {
    id: lot.id.replace(/^csh/, 'exp'),
    // A lot that was credited after its last day expires at once.
    occurredAt: new Date(Math.max(over, lot.occurred_at.getTime())),
  };
}

async function debit(
  tx: CustomerTx,
  last: LastLine,
  movement: Movement,
  amountCents: number,
  context: EventContext,
  own?: number,
): Promise<string> {
  const lots = (await listLots(tx, movement.customerId)).map(toLot);
  const id = newId('csh', context.now);
  const line = postLine(tx, id, movement, -amountCents, context.now);
  insertDebit(tx, { ...line, occurredAt: context.now }, own ?? null);
  await markTaken(tx, movement.customerId, takeFrom(lots, cents(amountCents), own));
  const written = after(last, -amountCents);
  await emitChanges(tx, { ...movement, id, expiresOn: null, amountCents: -amountCents }, written, context);
  return id;
}

const toLot = ({ position, expires_on, remaining_cents }: LotRow): Lot => ({
  position,
  expiresOn: expires_on as Day,
  remaining: cents(remaining_cents),
});

/** `amountCents`: positive for a credit. */
function postLine(tx: CustomerTx, id: string, movement: Movement, amountCents: number, now: Date) {
  const { customerId, kind, causedAt, description, checkoutHash = null, installmentId = null } = movement;
  const reference = movement.reference ?? `cashback ${id}`;
  const entries = [
    { account: kind === 'redeemed' ? 'cashback_clearing' : 'cashback_expense', installmentId, amountCents },
    { account: 'cashback_owed', installmentId, amountCents: -amountCents },
  ] as const;
  const posting = { customerId, reference, kind: postingKind(kind), occurredAt: causedAt, entries };
  post(tx, posting, now);
  return { customerId, id, reference, kind, amountCents, description, checkoutHash, installmentId };
}

async function emitChanges(
  tx: CustomerTx,
  movement: Movement & { id: string; expiresOn: Day | null; amountCents: number },
  { balance_cents }: LastLine,
  { events, now }: EventContext,
): Promise<void> {
  const { customerId, kind, id, expiresOn, checkoutHash = null, installmentId = null } = movement;
  const data = {
    id,
    kind,
    amount: reaisOf(movement.amountCents),
    balance: reaisOf(balance_cents),
    checkout_hash: checkoutHash,
    installment_id: installmentId,
    expires_on: expiresOn,
  };
  await events.emit(tx, { type: 'cashback.changed', customerId, data }, now);
}
