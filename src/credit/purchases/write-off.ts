import type { Static } from 'typebox';
import { type Cents, cents, sum, toReais } from '#core/money.ts';
import { lockCustomerById } from '#customers';
import { post, reversed } from '#ledger';
import {
  type CustomerTx,
  customerTransaction,
  forCustomer,
} from '#platform/database/customer-transaction.ts';
import type { Db } from '#platform/database/db.ts';
import { rehearse } from '#platform/database/rehearse.ts';
import { newId } from '#platform/ids.ts';
import { type Change, recordChange, type Subject } from '#platform/privacy/trail.ts';
import { nothingToWriteOff, notWrittenOff } from '../problems.ts';
import type { WriteOffState } from '../schemas.ts';
import { writtenOffEntries } from './entries.ts';
import { findCustomerOf } from './reading-store.ts';
import { type CreditPosting, type LockedPurchase, readPurchase } from './reallocate.ts';
import { insertWriteOff, markReinstated } from './store.ts';

type Order = { readonly hash: string; readonly by: string; readonly now: Date };

/** Writes off or reinstates, and records the author. Undefined: no such purchase. */
export async function recordWriteOff(
  db: Db,
  verb: typeof writeOff,
  { hash, reason }: { hash: string; reason: string },
  { actor, ...change }: Change,
): Promise<Static<typeof WriteOffState> | undefined> {
  const customerId = await findCustomerOf(db, hash);
  if (customerId === undefined) return undefined;
  return customerTransaction(db, customerId, (tx) =>
    recordChange(tx, { actor, ...change }, { of: writeOffSubject, id: hash }, () =>
      verb(tx, { hash, reason, by: actor.id, now: change.now }),
    ),
  );
}

/** What a write-off would give up. Nothing is written. Undefined: no such purchase. */
export async function tryWriteOff(
  db: Db,
  order: { hash: string; reason: string },
  { actor, now }: Change,
): Promise<Cents | undefined> {
  const customerId = await findCustomerOf(db, order.hash);
  if (customerId === undefined) return undefined;
  return rehearse(forCustomer(db, customerId), async (tx) => {
    await lockCustomerById(tx, customerId);
    return writeOff(tx, { ...order, by: actor.id, now });
  });
}

/**
 * The state of a purchase in the ledger, with its customer locked: for the trail. The customer's debt is the same before and
 * after.
 */
const writeOffSubject: Subject<Static<typeof WriteOffState>, CustomerTx> = {
  kind: 'checkout',
  async read(tx, hash) {
    const customerId = await findCustomerOf(tx, hash);
    if (customerId === undefined) return undefined;
    await lockCustomerById(tx, customerId);
    const { row } = await readPurchase(tx, customerId, hash);
    return {
      checkout_hash: hash,
      customer_id: customerId,
      written_off_at: row.written_off_at?.toISOString() ?? null,
      outstanding: toReais(outstandingOf(row)),
    };
  },
};

/**
 * Writes a purchase off: its outstanding amount is a loss in the ledger from now on. The customer still owes it, and a later
 * payment reduces the loss, by `reallocate`. The customer is locked by {@link writeOffSubject}.
 */
export async function writeOff(
  tx: CustomerTx,
  { reason, ...order }: Order & { readonly reason: string },
): Promise<Cents> {
  const purchase = await readOf(tx, order);
  const outstanding = outstandingOf(purchase.row);
  if (purchase.row.written_off_at !== null) throw nothingToWriteOff('written_off');
  if (outstanding === 0) throw nothingToWriteOff('nothing_owed');
  const { hash: checkoutHash, now, by } = order;
  const { customerId } = purchase;
  const id = newId('wof', now);
  await insertWriteOff(tx, { customerId, checkoutHash, id, reason, now, by });
  postLoss(tx, purchase, { kind: 'write_off', reference: `write-off ${id}`, now });
  return outstanding;
}

/** Undoes a write-off: the outstanding amount is a claim in the ledger again. */
export async function reinstate(tx: CustomerTx, order: Order): Promise<Cents> {
  const purchase = await readOf(tx, order);
  if (purchase.row.written_off_at === null) throw notWrittenOff();
  const { hash: checkoutHash, now, by } = order;
  const id = await markReinstated(tx, { customerId: purchase.customerId, checkoutHash, now, by });
  postLoss(tx, purchase, { kind: 'reinstatement', reference: `reinstatement ${id}`, now });
  return outstandingOf(purchase.row);
}

async function readOf(tx: CustomerTx, { hash }: Order): Promise<LockedPurchase> {
  return readPurchase(tx, (await findCustomerOf(tx, hash))!, hash);
}

const outstandingOf = ({ installments }: LockedPurchase['row']): Cents =>
  sum(installments.map(({ outstanding_cents }) => cents(outstanding_cents)));

function postLoss(
  tx: CustomerTx,
  { customerId, row }: LockedPurchase,
  { kind, reference, now }: { kind: CreditPosting; reference: string; now: Date },
): void {
  const lost = row.installments.flatMap(({ id, outstanding_cents }) =>
    writtenOffEntries(id, outstanding_cents),
  );
  const entries = kind === 'write_off' ? lost : reversed(lost);
  post(tx, { customerId, kind, reference, occurredAt: now, entries }, now);
}
