import type { Page } from '../server/page.ts';
import type { PersonalPageHandler } from '../server/visit.ts';

const pdfPage = (bytes: unknown, name: string): Page => ({
  type: 'application/pdf',
  body: Buffer.from(bytes as Uint8Array),
  headers: { 'content-disposition': `inline; filename="${name}.pdf"` },
});

export const DOCUMENT_PAGES: Record<string, PersonalPageHandler> = {
  '/carteira/compras/:hash/contrato.pdf': async ({ api, params }) =>
    pdfPage(
      await api.getContract({ path: { hash: params.hash! }, headers: { accept: 'application/pdf' } }),
      `contrato-${params.hash}`,
    ),
  '/carteira/comprovantes/:id': async ({ api, params }) =>
    pdfPage(await api.getReceipt({ path: { id: params.id! } }), `comprovante-${params.id}`),
  '/carteira/extratos/:year': async ({ api, params }) =>
    pdfPage(await api.getStatement({ path: { year: params.year! } }), `extrato-${params.year}`),
};
