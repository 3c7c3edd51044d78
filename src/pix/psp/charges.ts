import { PspUnavailable } from './failures.ts';
import { getAfterWrite, getResource, isNotFound } from './get-resource.ts';
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

/** Refusals that may mean "exists already": the standard has 400, PSPs also use 409 and 422. */
const MAY_EXIST = new Set([400, 409, 422]);

/**
 * Creates the charge, once. The caller has stored the txid and the terms before, so that an interrupted call can be completed
 * later by the same call with `inDoubt`, which reads before it writes. A second PUT changes nothing at a PSP that follows the
 * standard and is refused by one that does not (Efí: 409), so a retry with the same txid and terms cannot create two charges. But
 * a missing answer, or a refusal that may mean "exists", proves nothing: GET decides.
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
    params: { txid: checked(txid) },
    body: writeTerms(terms),
    secrets: [terms.key],
  };
  const deadlineMs = http.deadline();
  const compare = (charge: Charge): PutCharge =>
    charge.txid.toLowerCase() === txid.toLowerCase() && isAsAsked(charge, terms)
      ? { kind: 'made', charge }
      : { kind: 'taken', charge };

  for (let attempt = 1; ; attempt++) {
    const result = inDoubt && attempt === 1 ? null : await http.send(put, deadlineMs);
    const answered = result?.kind === 'done' ? readCharge(result.body, receiver) : null;
    if (answered) return compare(answered);
    const refusal = result?.kind === 'refused' ? result.refusal : null;
    if (refusal && !MAY_EXIST.has(refusal.status)) throw refusal;
    const failure =
      result?.kind === 'unavailable' ? result.failure : new PspUnavailable('garbled', 'unknown');
    if (failure.effect === 'unknown') {
      const found = await getAfterWrite(http, wanted(txid, receiver, deadlineMs));
      if (found) return compare(found);
      if (refusal) throw refusal;
    }
    if (result !== null && !(await http.waitToRetry(attempt + 1, failure, deadlineMs))) throw failure;
  }
}

export async function findCharge(http: PspHttp, receiver: Receiver, txid: string): Promise<FoundCharge> {
  const charge = await getResource(http, wanted(checked(txid), receiver, http.deadline()));
  return charge ? { kind: 'found', charge } : { kind: 'not_found' };
}

/** Removes the charge. It may just have been paid: then that is the result. */
export async function removeCharge(http: PspHttp, receiver: Receiver, txid: string): Promise<RemovedCharge> {
  const patch: PspRequest = { method: 'PATCH', route: ROUTE, params: { txid: checked(txid) }, body: REMOVAL };
  const deadlineMs = http.deadline();
  for (let attempt = 1; ; attempt++) {
    const result = await http.send(patch, deadlineMs);
    if (result.kind === 'refused' && isNotFound(result.refusal)) return { kind: 'not_found' };
    const failure = result.kind === 'unavailable' ? result.failure : new PspUnavailable('garbled', 'unknown');
    if (failure.effect === 'unknown') {
      const charge =
        (result.kind === 'done' ? readCharge(result.body, receiver) : null) ??
        (await getAfterWrite(http, wanted(txid, receiver, deadlineMs)));
      if (!charge) return { kind: 'not_found' };
      if (charge.status === 'removed' || charge.status === 'removed_by_psp')
        return { kind: 'removed', charge };
      if (charge.status === 'paid') return { kind: 'paid', charge };
      if (charge.status !== 'active') return { kind: 'unclear', charge };
      if (result.kind === 'refused') throw result.refusal;
    }
    if (!(await http.waitToRetry(attempt + 1, failure, deadlineMs))) throw failure;
  }
}

function wanted(txid: string, receiver: Receiver, deadlineMs: number) {
  const request: PspRequest = { method: 'GET', route: ROUTE, params: { txid } };
  return { request, read: (body: unknown) => readCharge(body, receiver), deadlineMs };
}

function checked(txid: string): string {
  if (!TXID.test(txid)) throw new RangeError(`not a txid: ${txid}`);
  return txid;
}
