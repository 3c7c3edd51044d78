import { PspUnavailable } from './failures.ts';
import type { Line, Question } from './line.ts';
import { isNotFound, look, lookAfterWrite } from './look.ts';
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

/** `made`: the charge exists as asked (look at its status). `taken`: the txid belongs to a charge with other terms. */
export type PutCharge = { kind: 'made'; charge: Charge } | { kind: 'taken'; charge: Charge };

/** `unclear`: it is in a state we have no word for; the charge says which. */
export type RemovedCharge =
  | { kind: 'removed'; charge: Charge }
  | { kind: 'paid'; charge: Charge }
  | { kind: 'unclear'; charge: Charge }
  | { kind: 'not_found' };

const ROUTE = '/cob/:txid';
const TXID = /^[a-zA-Z0-9]{26,35}$/;

/** Refusals that may mean "it is there already": the standard has 400, PSPs also use 409 and 422. */
const MAY_EXIST = new Set([400, 409, 422]);

/**
 * Makes the charge, once. The caller has stored the txid and the terms before, so that whatever happens here can be
 * finished later by the same call with `inDoubt`, which looks before it writes.
 *
 * A second PUT changes nothing at a PSP that follows the standard and is refused by one that does not (Efí: 409), so
 * trying again with the same txid and terms can never make two charges. But an answer that did not come, or a refusal
 * that may mean "exists", says nothing: what GET finds decides.
 */
export async function putCharge(
  line: Line,
  receiver: Receiver,
  txid: string,
  terms: ChargeTerms,
  inDoubt: boolean,
): Promise<PutCharge> {
  const put: Question = {
    method: 'PUT',
    route: ROUTE,
    params: { txid: checked(txid) },
    body: writeTerms(terms),
    secrets: [terms.key, ...(terms.payer ? [terms.payer.cpf, terms.payer.name] : [])],
  };
  const deadlineMs = line.deadline();
  const compare = (charge: Charge): PutCharge =>
    charge.txid === txid && isAsAsked(charge, terms) ? { kind: 'made', charge } : { kind: 'taken', charge };

  for (let attempt = 1; ; attempt++) {
    const verdict = inDoubt && attempt === 1 ? null : await line.ask(put, deadlineMs);
    const answered = verdict?.kind === 'done' ? readCharge(verdict.body, receiver) : null;
    if (answered) return compare(answered);
    const refusal = verdict?.kind === 'refused' ? verdict.refusal : null;
    if (refusal && !MAY_EXIST.has(refusal.status)) throw refusal;
    const failure =
      verdict?.kind === 'unavailable' ? verdict.failure : new PspUnavailable('garbled', 'unknown');
    if (failure.effect === 'unknown') {
      const found = await lookAfterWrite(line, wanted(txid, receiver, deadlineMs));
      if (found) return compare(found);
      if (refusal) throw refusal;
    }
    if (verdict !== null && !(await line.mayTryAgain(attempt + 1, failure, deadlineMs))) throw failure;
  }
}

export async function findCharge(line: Line, receiver: Receiver, txid: string): Promise<FoundCharge> {
  const charge = await look(line, wanted(checked(txid), receiver, line.deadline()));
  return charge ? { kind: 'found', charge } : { kind: 'not_found' };
}

/** Takes the charge out of circulation. It may just have been paid: then that is the answer. */
export async function removeCharge(line: Line, receiver: Receiver, txid: string): Promise<RemovedCharge> {
  const patch: Question = { method: 'PATCH', route: ROUTE, params: { txid: checked(txid) }, body: REMOVAL };
  const deadlineMs = line.deadline();
  for (let attempt = 1; ; attempt++) {
    const verdict = await line.ask(patch, deadlineMs);
    if (verdict.kind === 'refused' && isNotFound(verdict.refusal)) return { kind: 'not_found' };
    const failure =
      verdict.kind === 'unavailable' ? verdict.failure : new PspUnavailable('garbled', 'unknown');
    if (failure.effect === 'unknown') {
      const charge =
        (verdict.kind === 'done' ? readCharge(verdict.body, receiver) : null) ??
        (await lookAfterWrite(line, wanted(txid, receiver, deadlineMs)));
      if (!charge) return { kind: 'not_found' };
      if (charge.status === 'removed' || charge.status === 'removed_by_psp')
        return { kind: 'removed', charge };
      if (charge.status === 'paid') return { kind: 'paid', charge };
      if (charge.status !== 'active') return { kind: 'unclear', charge };
      if (verdict.kind === 'refused') throw verdict.refusal;
    }
    if (!(await line.mayTryAgain(attempt + 1, failure, deadlineMs))) throw failure;
  }
}

function wanted(txid: string, receiver: Receiver, deadlineMs: number) {
  const question: Question = { method: 'GET', route: ROUTE, params: { txid } };
  return { question, read: (body: unknown) => readCharge(body, receiver), deadlineMs };
}

function checked(txid: string): string {
  if (!TXID.test(txid)) throw new RangeError(`not a txid: ${txid}`);
  return txid;
}
