import { type Cents, toReaisText } from '#core/values/money.ts';
import { PspRefused } from './failures.ts';
import type { PspHttp, PspRequest } from './http-client.ts';
import { createOnce, createResource, endOnce, type WriteOptions } from './resource.ts';
import {
  type Charge,
  type ChargeTerms,
  matchesTerms,
  type PixList,
  parseCharge,
  parseId,
  parsePix,
  parsePixList,
  parseRefund,
  type ReceivedPix,
  type Receiver,
  type Refund,
  renderTerms,
} from './translate.ts';

/** `created`: the charge exists as requested; check its status. `txid_taken`: the txid belongs to a charge with other terms. */
export type PutCharge = { kind: 'created' | 'txid_taken'; charge: Charge };

/** `not_removed`: the PSP returned the charge with another status than removed or paid. */
type RemovedCharge = { kind: 'removed' | 'paid' | 'not_removed'; charge: Charge } | { kind: 'not_found' };

const TXID_PATTERN = /^[a-zA-Z0-9]{26,35}$/;

export function createChargeCalls(http: PspHttp, receiver: Receiver) {
  const buildChargeResource = (txid: string) =>
    createResource(http, { route: '/cob/:txid', params: { txid: requireTxid(txid) } }, (body) =>
      parseCharge(body, receiver),
    );
  return {
    /**
     * Creates the charge, once. A repeated PUT changes nothing at a PSP that follows the standard, and others refuse it (Efí:
     * 409), so a retry with the same txid and terms cannot create two charges.
     */
    async putCob(txid: string, terms: ChargeTerms, options?: WriteOptions): Promise<PutCharge> {
      const resource = buildChargeResource(txid);
      const body = renderTerms(terms);
      const charge = await createOnce(
        http,
        { method: 'PUT', ...resource.address, body, secrets: [terms.key] },
        resource,
        options,
      );
      const isOurs = charge.txid.toLowerCase() === txid.toLowerCase() && matchesTerms(charge, terms);
      return { kind: isOurs ? 'created' : 'txid_taken', charge };
    },

    /** Returns null if the PSP does not have the charge, as all reads do. */
    getCob: async (txid: string) => buildChargeResource(txid).get(),

    /** Removes the charge. If it has just been paid, the result is `paid`. */
    async removeCob(txid: string): Promise<RemovedCharge> {
      const removal = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };
      const isOpen = ({ status }: Charge) => status === 'active';
      const charge = await endOnce(http, buildChargeResource(txid), removal, isOpen);
      if (!charge) return { kind: 'not_found' };
      const { status } = charge;
      if (status === 'removed' || status === 'removed_by_psp') return { kind: 'removed', charge };
      return { kind: status === 'paid' ? 'paid' : 'not_removed', charge };
    },
  };
}

export function requireTxid(txid: string): string {
  if (!TXID_PATTERN.test(txid)) throw new RangeError(`invalid txid: ${txid}`);
  return txid;
}

type PixWindow = {
  from: Date;
  to: Date;
  txid?: string;
  /** true: only payments with a refund; false: only payments without one. */
  withRefund?: boolean;
  /** 1 to 1000; by default the standard's 100. */
  pageSize?: number;
};

export type PixPage = PixList & { page: number };

/** Limit of pages, for a PSP that never reports a last page. */
const MAX_PAGES = 10_000;

export const createPixCalls = (http: PspHttp) => ({
  async getPix(endToEndId: string): Promise<ReceivedPix | null> {
    // The id may come from a forged callback.
    if (parseId(endToEndId) === null) return null;
    const address = { route: '/pix/:endToEndId', params: { endToEndId } };
    const pix = await createResource(http, address, parsePix).get();
    return pix && pix.amountCents > 0 ? pix : null;
  },

  /** Yields the payments received in a window, page by page. Pages may shift meanwhile, so the same pix can occur twice. */
  async *listPix(window: PixWindow): AsyncGenerator<PixPage, void, undefined> {
    let seenCount = 0;
    let previousIds: string | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const list = await fetchPage(http, window, page);
      if (!list || list.entryCount === 0) return;
      // A PSP without pagination returns the same page for ever.
      const ids = [...list.payments, ...list.unreadablePix].map(({ endToEndId }) => endToEndId).join();
      if (ids === previousIds) return;
      previousIds = ids;
      seenCount += list.entryCount;
      yield { page, ...list };
      if (isLastPage(list, page, seenCount)) return;
    }
  },
});

/** Decides by the PSP's counts. Without counts only an empty page is the end, because a page may be shorter than requested. */
function isLastPage({ pages, total }: PixList, page: number, seenCount: number): boolean {
  if (total === null && pages === null) return false;
  return (total === null || seenCount >= total) && (pages === null || page + 1 >= pages);
}

async function fetchPage(http: PspHttp, window: PixWindow, page: number): Promise<PixList | null> {
  const query = {
    inicio: window.from.toISOString(),
    fim: window.to.toISOString(),
    ...(window.txid !== undefined && { txid: window.txid }),
    ...(window.withRefund !== undefined && { devolucaoPresente: String(window.withRefund) }),
    'paginacao.paginaAtual': String(page),
    'paginacao.itensPorPagina': String(window.pageSize ?? 100),
  };
  try {
    return await createResource(http, { route: '/pix', params: {}, query }, parsePixList).get();
  } catch (error) {
    // Some PSPs refuse a page past the end instead of returning an empty one.
    if (page > 0 && error instanceof PspRefused && error.status === 400) return null;
    throw error;
  }
}

/** `requested`: the PSP has the refund; check its status. `id_taken`: the id belongs to a refund of another amount. */
type RequestedRefund = { kind: 'requested' | 'id_taken'; refund: Refund };

const REFUND_ID_PATTERN = /^[a-zA-Z0-9]{1,35}$/;

export function createRefundCalls(http: PspHttp) {
  const buildRefundResource = (endToEndId: string, refundId: string) => {
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
      if (!REFUND_ID_PATTERN.test(id)) throw new RangeError(`invalid refund id: ${id}`);
      if (!(amountCents > 0)) throw new RangeError(`a refund needs an amount above zero: ${amountCents}`);
      const { address, parse, getAfterWrite } = buildRefundResource(endToEndId, id);
      const description = note?.slice(0, 140);
      const putRequest: PspRequest = {
        method: 'PUT',
        ...address,
        body: { valor: toReaisText(amountCents), descricao: description },
      };
      // A used id and any other refusal have the same status: a read distinguishes them.
      const refund = await createOnce(http, putRequest, { parse, getAfterWrite, mayExist: () => true });
      return { kind: refund.amountCents === amountCents ? 'requested' : 'id_taken', refund };
    },

    getRefund: (endToEndId: string, id: string) => buildRefundResource(endToEndId, id).get(),
  };
}
