import { PspRefused } from './failures.ts';
import type { PspHttp } from './http-client.ts';
import { resourceAt } from './resource.ts';
import { type PixList, type ReceivedPix, readPix, readPixList } from './translate.ts';
import { endToEndIdOf } from './wire-values.ts';

type PixWindow = {
  /** Both ends are inclusive. */
  from: Date;
  to: Date;
  txid?: string;
  /** Only those with, or only those without. */
  withRefund?: boolean;
  /** 1 to 1000; by default the standard's 100. */
  pageSize?: number;
};

export type PixPage = PixList & { page: number };

/** The limit of pages, for a PSP that never reports a last one. */
const MOST_PAGES = 10_000;

export const receivedCalls = (http: PspHttp) => ({
  async getPix(endToEndId: string): Promise<{ kind: 'found'; pix: ReceivedPix } | { kind: 'not_found' }> {
    // It may come from a forged callback.
    if (endToEndIdOf(endToEndId) === null) return { kind: 'not_found' };
    const pix = await resourceAt(http, { route: '/pix/:endToEndId', params: { endToEndId } }, readPix).get();
    // A zero amount is no payment.
    return pix && pix.amountCents > 0 ? { kind: 'found', pix } : { kind: 'not_found' };
  },

  /** The payments received in a window, page by page. Pages may shift meanwhile: the same pix can come twice. */
  async *listPix(window: PixWindow): AsyncGenerator<PixPage, void, undefined> {
    let seen = 0;
    let before: string | undefined;
    for (let page = 0; page < MOST_PAGES; page++) {
      const found = await findPage(http, window, page);
      if (!found || found.entries === 0) return;
      // A PSP without pagination answers with the same page forever.
      const ids = [...found.payments, ...found.unreadable].map(({ endToEndId }) => endToEndId).join();
      if (ids === before) return;
      before = ids;
      seen += found.entries;
      yield { page, ...found };
      if (isLast(found, page, seen)) return;
    }
  },
});

/** By the PSP's page count. Without one a page may be shorter than requested: only an empty page is the end. */
function isLast({ pages, total }: PixList, page: number, seen: number): boolean {
  if (total === null && pages === null) return false;
  return (total === null || seen >= total) && (pages === null || page + 1 >= pages);
}

/** null when there is no such page. */
async function findPage(http: PspHttp, window: PixWindow, page: number): Promise<PixList | null> {
  const query = {
    inicio: window.from.toISOString(),
    fim: window.to.toISOString(),
    ...(window.txid !== undefined && { txid: window.txid }),
    ...(window.withRefund !== undefined && { devolucaoPresente: String(window.withRefund) }),
    'paginacao.paginaAtual': String(page),
    'paginacao.itensPorPagina': String(window.pageSize ?? 100),
  };
  try {
    return await resourceAt(http, { route: '/pix', params: {}, query }, readPixList).get();
  } catch (error) {
    // Some PSPs refuse a page past the end instead of answering with an empty one.
    if (page > 0 && error instanceof PspRefused && error.status === 400) return null;
    throw error;
  }
}
