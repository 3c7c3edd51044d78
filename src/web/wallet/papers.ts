import type { Page } from '../server/page.ts';
import type { MakePersonalPage } from '../server/visit.ts';

const pdf = (bytes: unknown, name: string): Page => ({
  type: 'application/pdf',
  body: Buffer.from(bytes as Uint8Array),
  headers: { 'content-disposition': `inline; filename="${name}.pdf"` },
});

export const PAPERS: Record<string, MakePersonalPage> = {
  '/carteira/compras/:hash/contrato.pdf': async ({ api, params }) =>
    pdf(await api.getContract({ path: { hash: params.hash! } }), `contrato-${params.hash}`),
  '/carteira/comprovantes/:id': async ({ api, params }) =>
    pdf(await api.getReceipt({ path: { id: params.id! } }), `comprovante-${params.id}`),
  '/carteira/extratos/:year': async ({ api, params }) =>
    pdf(await api.getStatement({ path: { year: params.year! } }), `extrato-${params.year}`),
};
