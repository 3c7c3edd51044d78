import type { Static } from 'typebox';
import { type Cents, cents, sum, toReais } from '#core/values/money.ts';
import { findCustomerName, lockCustomerById } from '#customers';
import { post, reverseEntries } from '#ledger';
import {
  type CustomerTx,
  customerTransaction,
  forCustomer,
} from '#platform/database/customer-transaction.ts';
import { type Db, dryRun, type Queryable } from '#platform/database/db.ts';
import { type ActionDescription, type ApprovalSubject, buildAmountChange } from '#platform/http/approval.ts';
import { newId } from '#platform/ids.ts';
import { type AuditContext, type AuditEntity, withAuditedUpdate } from '#platform/privacy/audit-trail.ts';
import { nothingToWriteOff, notWrittenOff } from '../problems.ts';
import type { WriteOffState } from '../schemas.ts';
import { buildWriteOffEntries } from './entries.ts';
import { findCustomerByCheckout } from './reading-store.ts';
import { type CreditPosting, type LockedPurchase, loadPurchase } from './reallocate.ts';
import { insertWriteOff, markWriteOffReinstated } from './store.ts';

type WriteOffRequest = { readonly hash: string; readonly staffUserId: string; readonly now: Date };

/** Calls `writeOff` or `reinstate` for a purchase, and records the change in the audit trail. Returns undefined if there is no such purchase. */
export async function recordWriteOffChange(
  db: Db,
  changeWriteOff: typeof writeOff,
  { hash, reason }: { hash: string; reason: string },
  auditContext: AuditContext,
): Promise<Static<typeof WriteOffState> | undefined> {
  const customerId = await findCustomerByCheckout(db, hash);
  if (customerId === undefined) return undefined;
  return customerTransaction(db, customerId, (tx) =>
    withAuditedUpdate(tx, auditContext, { entity: writeOffAuditEntity, id: hash }, () =>
      changeWriteOff(tx, { hash, reason, staffUserId: auditContext.actor.id, now: auditContext.now }),
    ),
  );
}

/** Describes a write-off for approval: the amount that it would book as a loss. Returns undefined if there is no such purchase. */
export async function describeWriteOff(
  db: Db,
  request: { hash: string; reason: string },
  { actor, now }: AuditContext,
): Promise<ActionDescription | undefined> {
  const customerId = await findCustomerByCheckout(db, request.hash);
  if (customerId === undefined) return undefined;
  const outstanding = await dryRun(forCustomer(db, customerId), async (tx) => {
    await lockCustomerById(tx, customerId);
    return writeOff(tx, { ...request, staffUserId: actor.id, now });
  });
  return {
    amount: outstanding,
    subject: await describeCheckout(db, request.hash, customerId),
    change: [buildAmountChange('written_off', cents(0), outstanding)],
  };
}

export const describeCheckout = async (
  db: Queryable,
  hash: string,
  customerId: string,
): Promise<ApprovalSubject> => ({
  kind: 'checkout',
  id: hash,
  name: (await findCustomerName(db, customerId)) ?? null,
  isPerson: true,
});

/** The write-off of a purchase for the audit trail. Reading the write-off locks the customer, whose debt it does not change. */
const writeOffAuditEntity: AuditEntity<Static<typeof WriteOffState>, CustomerTx> = {
  kind: 'checkout',
  async read(tx, hash) {
    const customerId = await findCustomerByCheckout(tx, hash);
    if (customerId === undefined) return undefined;
    await lockCustomerById(tx, customerId);
    const { row } = await loadPurchase(tx, customerId, hash);
    return {
      checkout_hash: hash,
      customer_id: customerId,
      written_off_at: row.written_off_at?.toISOString() ?? null,
      outstanding: toReais(sumOutstanding(row)),
    };
  },
};

/**
 * Writes a purchase off: books its outstanding amount as a loss, and returns it. The customer still owes the amount, and `reallocate`
 * reduces the loss when a payment arrives. The caller has locked the customer by reading {@link writeOffAuditEntity}.
 */
export async function writeOff(
  tx: CustomerTx,
  { reason, ...request }: WriteOffRequest & { readonly reason: string },
): Promise<Cents> {
  const purchase = await loadPurchaseByHash(tx, request);
  const outstanding = sumOutstanding(purchase.row);
  if (purchase.row.written_off_at !== null) throw nothingToWriteOff('written_off');
  if (outstanding === 0) throw nothingToWriteOff('nothing_owed');
  const { hash: checkoutHash, now, staffUserId } = request;
  const { customerId } = purchase;
  const id = newId('wof', now);
  await insertWriteOff(tx, { customerId, checkoutHash, id, reason, now, staffUserId });
  postWriteOffChange(tx, purchase, { kind: 'write_off', reference: `write-off ${id}`, now });
  return outstanding;
}

/** Undoes a write-off: books the outstanding amount as a receivable again, and returns it. The caller has locked the customer, as for `writeOff`. */
export async function reinstate(tx: CustomerTx, request: WriteOffRequest): Promise<Cents> {
  const purchase = await loadPurchaseByHash(tx, request);
  if (purchase.row.written_off_at === null) throw notWrittenOff();
  const { hash: checkoutHash, now, staffUserId } = request;
  const id = await markWriteOffReinstated(tx, {
    customerId: purchase.customerId,
    checkoutHash,
    now,
    staffUserId,
  });
  postWriteOffChange(tx, purchase, { kind: 'reinstatement', reference: `reinstatement ${id}`, now });
  return sumOutstanding(purchase.row);
}

async function loadPurchaseByHash(tx: CustomerTx, { hash }: WriteOffRequest): Promise<LockedPurchase> {
  return loadPurchase(tx, (await findCustomerByCheckout(tx, hash))!, hash);
}

const sumOutstanding = ({ installments }: LockedPurchase['row']): Cents =>
  sum(installments.map(({ outstanding_cents }) => cents(outstanding_cents)));

function postWriteOffChange(
  tx: CustomerTx,
  { customerId, row }: LockedPurchase,
  { kind, reference, now }: { kind: CreditPosting; reference: string; now: Date },
): void {
  const lossEntries = row.installments.flatMap(({ id, outstanding_cents }) =>
    buildWriteOffEntries(id, outstanding_cents),
  );
  const entries = kind === 'write_off' ? lossEntries : reverseEntries(lossEntries);
  post(tx, { customerId, kind, reference, occurredAt: now, entries }, now);
}
