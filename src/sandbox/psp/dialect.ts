import type { Faults } from './faults.ts';
import { type RenderedPix, renderPix } from './render.ts';
import type { PixRow } from './store/pix.ts';

// Deviations from the standard seen at PSPs, as the faults say.

/** A payment in a charge, in a list, by itself or in a notice. */
export function writePix(faults: Faults, row: PixRow): Partial<RenderedPix> {
  const { txid, ...pix } = renderPix(row);
  const isUpper = faults.txid === 'capitals';
  return {
    ...pix,
    ...(faults.txid !== 'missing' && { txid: isUpper ? txid.toUpperCase() : txid }),
    ...(pix.chave !== undefined && { chave: isUpper ? pix.chave.toUpperCase() : pix.chave }),
    valor: faults.amounts === 'short' ? String(Number(pix.valor)) : pix.valor,
    horario: writeInstant(faults, pix.horario),
  };
}

/** The payments of a charge; undefined when it shows none. */
export function writePayments(faults: Faults, rows: PixRow[]): unknown {
  if (rows.length === 0 || faults.payments === 'missing') return undefined;
  const list = rows.map((row) => writePix(faults, row));
  if (faults.payments === 'object' && list.length === 1) return list[0];
  const valor = BESIDE[faults.payments];
  if (valor === undefined) return list;
  const endToEndId = `${rows[0]!.end_to_end_id.slice(0, 21)}${'0'.repeat(11)}`;
  return [{ ...list[0], valor, endToEndId }, ...list];
}

/** The amount of a payment that does not exist, beside the others. */
const BESIDE: Partial<Record<Faults['payments'], string>> = { zero_beside: '0.00', unreadable_beside: 'dez' };

/** A charge, with key and txid in capitals if the fault says so. */
export function writeCharge<T extends { txid: string; chave: string }>(faults: Faults, charge: T): T {
  if (faults.txid !== 'capitals') return charge;
  return { ...charge, txid: charge.txid.toUpperCase(), chave: charge.chave.toUpperCase() };
}

function writeInstant({ timestamps }: Faults, text: string): string {
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
