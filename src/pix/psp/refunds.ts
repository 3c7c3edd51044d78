import { type Cents, toReaisText } from '#core/values/money.ts';
import type { PspHttp, PspRequest } from './http-client.ts';
import { createResource } from './resource.ts';
import { parseRefund, type Refund } from './translate.ts';
import { createOnce } from './write-once.ts';

/** `requested`: the PSP has the refund; check its status. `id_taken`: the id belongs to a refund of another amount. */
type RequestedRefund = { kind: 'requested' | 'id_taken'; refund: Refund };

const REFUND_ID = /^[a-zA-Z0-9]{1,35}$/;

export function createRefundCalls(http: PspHttp) {
  const refundAt = (endToEndId: string, refundId: string) => {
    const params = { endToEndId, refundId };
    return createResource(http, { route: '/pix/:endToEndId/devolucao/:refundId', params }, parseRefund);
  };
  return {
    /** Requests a refund, once: the PSP deduplicates by the id, which the caller must have stored. */
    async requestRefund(
      endToEndId: string,
      id: string,
      amountCents: Cents,
      { note }: { note?: string } = {},
    ): Promise<RequestedRefund> {
      if (!REFUND_ID.test(id)) throw new RangeError(`invalid refund id: ${id}`);
      if (!(amountCents > 0)) throw new RangeError(`a refund needs an amount above zero: ${amountCents}`);
      const { address, parse, getAfterWrite } = refundAt(endToEndId, id);
      const descricao = note?.slice(0, 140);
      const put: PspRequest = {
        method: 'PUT',
        ...address,
        body: { valor: toReaisText(amountCents), descricao },
      };
      // A used id and any other refusal have the same status: a read distinguishes them.
      const refund = await createOnce(http, put, { parse, getAfterWrite, mayExist: () => true });
      return { kind: refund.amountCents === amountCents ? 'requested' : 'id_taken', refund };
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
