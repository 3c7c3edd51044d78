import { createHash } from 'node:crypto';
import { findIdentity } from '#customers';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Db } from '#platform/database/db.ts';
import { type Paper, renderPaper } from '#platform/papers/paper.ts';
import { contractOf, type Lender } from '../papers/contract.ts';
import type { CheckoutRecord } from '../purchases/checkout-record.ts';
import { type Contract, putContract } from '../purchases/contract-store.ts';
import { findOffer } from './store.ts';

export async function renderContract(hash: string, paper: Paper): Promise<Contract> {
  const pdf = await renderPaper(paper);
  return { hash, pdf, sha256: createHash('sha256').update(pdf).digest('hex') };
}

/** For a purchase that was opened without a contract. Undefined if the customer is no longer known. */
export async function fixContract(
  db: Db,
  checkout: CheckoutRecord<string>,
  { lender, now }: { lender: Lender; now: Date },
): Promise<Buffer | undefined> {
  const { customer_id: customerId, hash, offer_id: offerId } = checkout;
  const [person, offer] = await Promise.all([
    findIdentity(db, customerId),
    offerId === null ? undefined : findOffer(db, offerId),
  ]);
  if (!person) return undefined;
  const paper = contractOf(checkout, { person, lender, items: offer?.items ?? [] });
  const contract = await renderContract(hash, paper);
  return customerTransaction(db, customerId, (tx) => putContract(tx, customerId, contract, now));
}
