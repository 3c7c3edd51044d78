import type { Line, Question } from './line.ts';
import { look } from './look.ts';
import { type PixList, type ReceivedPix, readPix, readPixList } from './translate.ts';

export type FoundPix = { kind: 'found'; pix: ReceivedPix } | { kind: 'not_found' };

export type PixWindow = {
  /** Both ends belong to it. */
  from: Date;
  to: Date;
  txid?: string;
  /** Only those with, or only those without. */
  withTxid?: boolean;
  withRefund?: boolean;
  /** The first page wanted, counted from 0. */
  page?: number;
  /** 1 to 1000; the standard's 100 unless said. */
  pageSize?: number;
};

export type PixPage = PixList & { page: number };

/** It may come from a callback that anybody can forge; the standard's own examples are longer than its 32 characters. */
const END_TO_END_ID = /^[a-zA-Z0-9]{1,64}$/;
/** A PSP for which no page is the last must not keep us for ever. */
const MOST_PAGES = 10_000;

export async function findPix(line: Line, endToEndId: string): Promise<FoundPix> {
  if (!END_TO_END_ID.test(endToEndId)) return { kind: 'not_found' };
  const question: Question = { method: 'GET', route: '/pix/:endToEndId', params: { endToEndId } };
  const pix = await look(line, { question, read: readPix, deadlineMs: line.deadline() });
  return pix ? { kind: 'found', pix } : { kind: 'not_found' };
}

/** The money that arrived in a window, a page at a time. Pages may shift under our feet: the same pix can come twice. */
export async function* listPix(line: Line, window: PixWindow): AsyncGenerator<PixPage, void, undefined> {
  const pageSize = window.pageSize ?? 100;
  const first = window.page ?? 0;
  for (let page = first; page < first + MOST_PAGES; page++) {
    const question: Question = {
      method: 'GET',
      route: '/pix',
      params: {},
      query: {
        inicio: window.from.toISOString(),
        fim: window.to.toISOString(),
        ...(window.txid !== undefined && { txid: window.txid }),
        ...(window.withTxid !== undefined && { txIdPresente: String(window.withTxid) }),
        ...(window.withRefund !== undefined && { devolucaoPresente: String(window.withRefund) }),
        'paginacao.paginaAtual': String(page),
        'paginacao.itensPorPagina': String(pageSize),
      },
    };
    const found = await look(line, { question, read: readPixList, deadlineMs: line.deadline() });
    if (!found) return;
    yield { page, ...found };
    const count = found.pix.length + found.unreadable;
    // Without a count of pages, one that is not full is the last.
    if (count === 0 || (found.pages === null ? count < pageSize : page + 1 >= found.pages)) return;
  }
}
