import { findIdentity } from '#customers';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { renderPaper } from '#platform/paper.ts';
import { findOffer } from '../offers/store.ts';
import type { CheckoutRecord } from '../purchases/checkout-record.ts';
import { contractOf, type Lender } from './contract.ts';
import { putContract } from './store.ts';

/** Writes the contract of a purchase and keeps its bytes, in the transaction of the purchase or, where it had none, when it is asked for. */
export async function fixContract(
  tx: CustomerTx,
  checkout: CheckoutRecord<string>,
  { lender, now }: { lender: Lender; now: Date },
): Promise<{ pdf: Buffer; sha256: string } | undefined> {
  const { customerId, hash, offerId } = checkout;
  const person = await findIdentity(tx, customerId);
  if (!person) return undefined;
  const items = offerId === null ? [] : ((await findOffer(tx, offerId))?.items ?? []);
  const pdf = await renderPaper(contractOf(checkout, { person, lender, items }));
  return putContract(tx, { customerId, hash, pdf, at: now });
}
