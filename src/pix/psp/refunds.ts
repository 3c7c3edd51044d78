import { type Cents, toReaisText } from '#core/money.ts';
import { PspUnavailable } from './failures.ts';
import { getAfterWrite, getResource } from './get-resource.ts';
import type { PspHttp, PspRequest } from './http-client.ts';
import { type Refund, readRefund } from './translate.ts';

export type FoundRefund = { kind: 'found'; refund: Refund } | { kind: 'not_found' };

/** `asked`: the PSP has the refund (check its status). `taken`: that id belongs to a refund of another amount. */
export type AskedRefund = { kind: 'asked'; refund: Refund } | { kind: 'taken'; refund: Refund };

type RefundRequest = { endToEndId: string; id: string; amountCents: Cents; note?: string };

const ROUTE = '/pix/:endToEndId/devolucao/:refundId';
const REFUND_ID = /^[a-zA-Z0-9]{1,35}$/;

/** Sends a refund, once: the PSP deduplicates by the id, which the caller stored before. */
export async function requestRefund(http: PspHttp, request: RefundRequest): Promise<AskedRefund> {
  const { endToEndId, id, amountCents, note } = request;
  if (!REFUND_ID.test(id)) throw new RangeError(`not an id of a refund: ${id}`);
  if (!(amountCents > 0)) throw new RangeError(`a refund needs an amount above zero: ${amountCents}`);
  const put: PspRequest = {
    method: 'PUT',
    route: ROUTE,
    params: { endToEndId, refundId: id },
    body: { valor: toReaisText(amountCents), ...(note !== undefined && { descricao: note.slice(0, 140) }) },
  };
  const deadlineMs = http.deadline();
  const compare = (refund: Refund): AskedRefund =>
    refund.amountCents === amountCents ? { kind: 'asked', refund } : { kind: 'taken', refund };

  for (let attempt = 1; ; attempt++) {
    const result = await http.send(put, deadlineMs);
    const answered = result.kind === 'done' ? readRefund(result.body) : null;
    if (answered) return compare(answered);
    const failure = result.kind === 'unavailable' ? result.failure : new PspUnavailable('garbled', 'unknown');
    if (failure.effect === 'unknown') {
      // "That id was used" and a refusal have the same status: a read distinguishes them.
      const found = await getAfterWrite(http, wanted(endToEndId, id, deadlineMs));
      if (found) return compare(found);
      if (result.kind === 'refused') throw result.refusal;
    }
    if (!(await http.waitToRetry(attempt + 1, failure, deadlineMs))) throw failure;
  }
}

export async function findRefund(http: PspHttp, endToEndId: string, id: string): Promise<FoundRefund> {
  const refund = await getResource(http, wanted(endToEndId, id, http.deadline()));
  return refund ? { kind: 'found', refund } : { kind: 'not_found' };
}

function wanted(endToEndId: string, refundId: string, deadlineMs: number) {
  const request: PspRequest = { method: 'GET', route: ROUTE, params: { endToEndId, refundId } };
  return { request, read: readRefund, deadlineMs };
}
