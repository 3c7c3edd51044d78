import { toCanonicalJson } from '#core/values/canonical-json.ts';
import { findIdentity } from '#customers';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Db } from '#platform/database/db.ts';
import { renderDocument } from '#platform/documents/document.ts';
import type { CheckoutRecord } from '../purchases/checkout-record.ts';
import {
  createContract,
  hashContract,
  type StoredContract,
  storeContract,
  storePdf,
} from '../purchases/contract-store.ts';
import { layOutContract } from './contract.ts';
import { buildContractText, type ContractText } from './contract-text.ts';
import type { Item, Lender } from './parties.ts';

/** Stores the contract of a purchase that was opened without one. Returns undefined if the customer was erased. */
export async function issueContract(
  db: Db,
  checkout: CheckoutRecord<string>,
  { lender, items, now }: { lender: Lender; items: readonly Item[]; now: Date },
): Promise<StoredContract | undefined> {
  const { customer_id: customerId, hash } = checkout;
  const person = await findIdentity(db, customerId);
  if (!person) return undefined;
  const text = toCanonicalJson(buildContractText(checkout, { person, lender, items }));
  return customerTransaction(db, customerId, (tx) =>
    storeContract(tx, customerId, createContract(hash, text), now),
  );
}

type ContractRequest = { headers: { accept?: string | undefined } };
type ContractReply<S> = { type(contentType: string): { send(body: Buffer): S } };

/**
 * Sends the canonical text if the caller prefers JSON, and otherwise the PDF, which is rendered and stored on the first request. Both
 * have the same bytes in every response. Returns undefined if the contract was erased.
 */
export async function sendContract<S>(
  db: Db,
  { request, reply }: { request: ContractRequest; reply: ContractReply<S> },
  { customerId, hash }: { customerId: string; hash: string },
  { text, pdf }: StoredContract,
): Promise<S | undefined> {
  if (text !== null && prefersJson(request.headers.accept))
    return reply.type('application/json').send(Buffer.from(text));
  const bytes = pdf ?? (await renderPdf(db, customerId, hash, text!));
  return bytes && reply.type('application/pdf').send(bytes);
}

async function renderPdf(
  db: Db,
  customerId: string,
  hash: string,
  text: string,
): Promise<Buffer | undefined> {
  const pdf = await renderDocument(layOutContract(JSON.parse(text) as ContractText, hashContract(text)));
  return storePdf(db, customerId, hash, pdf);
}

/** Whether JSON comes before PDF in `Accept`. Without either, PDF is sent. */
export function prefersJson(accept = ''): boolean {
  const types = accept.split(',').map((range) => range.split(';')[0]!.trim().toLowerCase());
  return (
    types.find((type) => type === 'application/json' || type === 'application/pdf') === 'application/json'
  );
}
