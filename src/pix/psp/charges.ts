import { getResource } from './get-resource.ts';
import type { PspHttp, PspRequest } from './http-client.ts';
import {
  type Charge,
  type ChargeTerms,
  isAsAsked,
  REMOVAL,
  type Receiver,
  readCharge,
  writeTerms,
} from './translate.ts';
import { createOnce, endOnce, readBack } from './write-once.ts';

export type FoundCharge = { kind: 'found'; charge: Charge } | { kind: 'not_found' };

/** `made`: the charge exists as requested (check its status). `taken`: the txid belongs to a charge with other terms. */
export type PutCharge = { kind: 'made'; charge: Charge } | { kind: 'taken'; charge: Charge };

/** `unclear`: its status is not one that we know; the charge has it. */
export type RemovedCharge =
  | { kind: 'removed'; charge: Charge }
  | { kind: 'paid'; charge: Charge }
  | { kind: 'unclear'; charge: Charge }
  | { kind: 'not_found' };

const ROUTE = '/cob/:txid';
const TXID = /^[a-zA-Z0-9]{26,35}$/;

/**
 * Creates the charge, once. A second PUT changes nothing at a PSP that follows the standard and is refused by one that does not
 * (Efí: 409), so a retry with the same txid and terms cannot create two charges.
 */
export async function putCharge(
  http: PspHttp,
  receiver: Receiver,
  txid: string,
  terms: ChargeTerms,
  inDoubt: boolean,
): Promise<PutCharge> {
  const put: PspRequest = {
    method: 'PUT',
    route: ROUTE,
    params: { txid: checkedTxid(txid) },
    body: writeTerms(terms),
    secrets: [terms.key],
  };
  const charge = await createOnce(http, put, chargeAt(http, receiver, txid), { inDoubt });
  const isMade = charge.txid.toLowerCase() === txid.toLowerCase() && isAsAsked(charge, terms);
  return { kind: isMade ? 'made' : 'taken', charge };
}

export async function findCharge(http: PspHttp, receiver: Receiver, txid: string): Promise<FoundCharge> {
  const charge = await getResource(http, {
    request: get(checkedTxid(txid)),
    read: (body) => readCharge(body, receiver),
    deadlineMs: http.deadline(),
  });
  return charge ? { kind: 'found', charge } : { kind: 'not_found' };
}

/** Removes the charge. It may just have been paid: then that is the result. */
export async function removeCharge(http: PspHttp, receiver: Receiver, txid: string): Promise<RemovedCharge> {
  const params = { txid: checkedTxid(txid) };
  const patch: PspRequest = { method: 'PATCH', route: ROUTE, params, body: REMOVAL };
  const isOpen = ({ status }: Charge) => status === 'active';
  const charge = await endOnce(http, patch, chargeAt(http, receiver, txid), isOpen);
  if (!charge) return { kind: 'not_found' };
  const isRemoved = charge.status === 'removed' || charge.status === 'removed_by_psp';
  return { kind: isRemoved ? 'removed' : charge.status === 'paid' ? 'paid' : 'unclear', charge };
}

const get = (txid: string): PspRequest => ({ method: 'GET', route: ROUTE, params: { txid } });

const chargeAt = (http: PspHttp, receiver: Receiver, txid: string) =>
  readBack(http, get(txid), (body) => readCharge(body, receiver));

export function checkedTxid(txid: string): string {
  if (!TXID.test(txid)) throw new RangeError(`not a txid: ${txid}`);
  return txid;
}
