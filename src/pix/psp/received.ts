import { PspRefused } from './failures.ts';
import type { PspHttp } from './http-client.ts';
import { createResource } from './resource.ts';
import { type PixList, parsePix, parsePixList, type ReceivedPix } from './translate.ts';
import { parseEndToEndId } from './wire-values.ts';

type PixWindow = {
  /** Both ends are inclusive. */
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
  async getPix(endToEndId: string): Promise<{ kind: 'found'; pix: ReceivedPix } | { kind: 'not_found' }> {
    // The id may come from a forged callback.
    if (parseEndToEndId(endToEndId) === null) return { kind: 'not_found' };
    const pix = await createResource(
      http,
      { route: '/pix/:endToEndId', params: { endToEndId } },
      parsePix,
    ).get();
    // A payment of zero is ignored.
    return pix && pix.amountCents > 0 ? { kind: 'found', pix } : { kind: 'not_found' };
  },

  /** Yields the payments received in a window, page by page. Pages may shift meanwhile, so the same pix can occur twice. */
  async *listPix(window: PixWindow): AsyncGenerator<PixPage, void, undefined> {
    let seenCount = 0;
    let previousIds: string | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const list = await fetchPage(http, window, page);
      if (!list || list.entryCount === 0) return;
      // A PSP without pagination returns the same page for ever.
      const ids = [...list.payments, ...list.unreadable].map(({ endToEndId }) => endToEndId).join();
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

/** Returns null if there is no such page. */
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
