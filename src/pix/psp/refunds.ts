import { type Cents, toReaisText } from '#core/money.ts';
import type { PspHttp, PspRequest } from './http-client.ts';
import { resourceAt } from './resource.ts';
import { type Refund, readRefund } from './translate.ts';
import { createOnce } from './write-once.ts';

/** `asked`: the PSP has the refund (check its status). `taken`: that id belongs to a refund of another amount. */
type AskedRefund = { kind: 'asked' | 'taken'; refund: Refund };

const REFUND_ID = /^[a-zA-Z0-9]{1,35}$/;

export function refundCalls(http: PspHttp) {
  const refundAt = (endToEndId: string, refundId: string) => {
    const params = { endToEndId, refundId };
    return resourceAt(http, { route: '/pix/:endToEndId/devolucao/:refundId', params }, readRefund);
  };
  return {
    /** Sends a refund, once: the PSP deduplicates by the id, which the caller stored before. */
    async requestRefund(
      endToEndId: string,
      id: string,
      amountCents: Cents,
      { note }: { note?: string } = {},
    ): Promise<AskedRefund> {
      if (!REFUND_ID.test(id)) throw new RangeError(`not an id of a refund: ${id}`);
      if (!(amountCents > 0)) throw new RangeError(`a refund needs an amount above zero: ${amountCents}`);
      const { at, read, getAfterWrite } = refundAt(endToEndId, id);
      const descricao = note?.slice(0, 140);
      const put: PspRequest = { method: 'PUT', ...at, body: { valor: toReaisText(amountCents), descricao } };
      // "That id was used" and a refusal have the same status: a read distinguishes them.
      const refund = await createOnce(http, put, { read, getAfterWrite, mayExist: () => true });
      return { kind: refund.amountCents === amountCents ? 'asked' : 'taken', refund };
    },

    async getRefund(
      endToEndId: string,
      id: string,
    ): Promise<{ kind: 'found'; refund: Refund } | { kind: 'not_found' }> {
      const refund = await refundAt(endToEndId, id).get();
      return refund ? { kind: 'found', refund } : { kind: 'not_found' };
    },
  };
}
