import type { Faults } from './faults.ts';
import { type RenderedPix, renderPix } from './render.ts';
import type { PixRow } from './store/pix.ts';

// Renders payments and charges with deviations from the standard that real PSPs have, if the faults require it.

export function renderFaultyPix(faults: Faults, row: PixRow): Partial<RenderedPix> {
  const { txid, ...pix } = renderPix(row);
  const isUpperCase = faults.txid === 'capitals';
  return {
    ...pix,
    ...(faults.txid !== 'missing' && { txid: isUpperCase ? txid.toUpperCase() : txid }),
    ...(pix.chave !== undefined && { chave: isUpperCase ? pix.chave.toUpperCase() : pix.chave }),
    valor: faults.amounts === 'short' ? String(Number(pix.valor)) : pix.valor,
    horario: renderFaultyInstant(faults, pix.horario),
  };
}

/** Renders the payments of a charge. Undefined: the charge contains no payments. */
export function renderFaultyPayments(faults: Faults, rows: PixRow[]): unknown {
  if (rows.length === 0 || faults.payments === 'missing') return undefined;
  const list = rows.map((row) => renderFaultyPix(faults, row));
  if (faults.payments === 'object' && list.length === 1) return list[0];
  const valor = FAKE_PAYMENT_AMOUNTS[faults.payments];
  if (valor === undefined) return list;
  const endToEndId = `${rows[0]!.end_to_end_id.slice(0, 21)}${'0'.repeat(11)}`;
  return [{ ...list[0], valor, endToEndId }, ...list];
}

/** The amount of the payment that does not exist, which these faults add to the real ones. */
const FAKE_PAYMENT_AMOUNTS: Partial<Record<Faults['payments'], string>> = {
  zero_beside: '0.00',
  unreadable_beside: 'dez',
};

export function renderFaultyCharge<T extends { txid: string; chave: string }>(faults: Faults, charge: T): T {
  if (faults.txid !== 'capitals') return charge;
  return { ...charge, txid: charge.txid.toUpperCase(), chave: charge.chave.toUpperCase() };
}

function renderFaultyInstant({ timestamps }: Faults, text: string): string {
  switch (timestamps) {
    case 'no_fraction':
      return text.replace(/\.\d+/, '');
    case 'no_zone':
      return text.replace('Z', '');
    case 'spaced':
      return text.replace('T', ' ').replace(/\.\d+Z/, '');
    default:
      return text;
  }
}
