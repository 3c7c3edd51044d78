import { encodeBrCode } from '#core/values/br-code.ts';
import { cents, toReaisText } from '#core/values/money.ts';
import type { Receiver } from './bank.ts';
import type { Faults } from './faults.ts';
import type { ChargeRow } from './store/charges.ts';
import type { PixRow, RefundRow } from './store/pix.ts';

export function renderCharge(charge: ChargeRow, receiver: Receiver, pix?: unknown) {
  const { txid, revision, status, terms, created_at, location_id, location } = charge;
  const { calendario, ...otherTerms } = terms;
  const criacao = created_at.toISOString();
  return {
    calendario: { criacao, ...calendario },
    txid,
    revisao: revision,
    loc: { id: location_id, txid, location, tipoCob: 'cob', criacao },
    location,
    pixCopiaECola: encodeBrCode({
      target: { kind: 'dynamic', location },
      initiation: '12', // can be paid once
      merchantName: receiver.name,
      merchantCity: receiver.city,
    }),
    status,
    ...otherTerms,
    ...(pix !== undefined && { pix }),
  };
}

export type RenderedPix = ReturnType<typeof renderPix>;

export function renderPix(pix: PixRow) {
  const valor = toReaisText(cents(pix.amount_cents));
  return {
    endToEndId: pix.told_as ?? pix.end_to_end_id,
    txid: pix.txid,
    valor,
    componentesValor: { original: { valor } },
    ...(pix.key !== null && { chave: pix.key }),
    horario: pix.paid_at.toISOString(),
    ...(pix.refunds.length > 0 && { devolucoes: pix.refunds.map(renderRefund) }),
  };
}

export function renderRefund(refund: RefundRow<Date | string>) {
  const { id, return_id, amount_cents, nature, description, status, requested_at, settled_at } = refund;
  return {
    id,
    rtrId: return_id,
    valor: toReaisText(cents(amount_cents)),
    natureza: nature,
    ...(description !== null && { descricao: description }),
    horario: {
      solicitacao: new Date(requested_at).toISOString(),
      ...(settled_at !== null && { liquidacao: new Date(settled_at).toISOString() }),
    },
    status,
    ...(status === 'NAO_REALIZADO' && { motivo: 'Conta do pagador encerrada.' }),
  };
}

/** Renders a payment with the deviations from the standard that the faults require. Real PSPs have them. */
export function renderFaultyPix(faults: Faults, row: PixRow): Partial<RenderedPix> {
  const { txid, ...pix } = renderPix(row);
  const isUpperCase = faults.txid === 'capitals'; // also the Pix key
  return {
    ...pix,
    ...(faults.txid !== 'missing' && { txid: isUpperCase ? txid.toUpperCase() : txid }),
    ...(pix.chave !== undefined && { chave: isUpperCase ? pix.chave.toUpperCase() : pix.chave }),
    valor: faults.amounts === 'short' ? String(Number(pix.valor)) : pix.valor,
    horario: renderFaultyInstant(faults, pix.horario),
  };
}

/** The amount of the payment that does not exist, which these faults add to the real ones. */
const FAKE_PAYMENT_AMOUNTS: Partial<Record<Faults['payments'], string>> = {
  zero_beside: '0.00',
  unreadable_beside: 'dez',
};

/** Returns undefined if the charge contains no payments. */
export function renderPaymentsWithFaults(faults: Faults, rows: PixRow[]): unknown {
  if (rows.length === 0 || faults.payments === 'missing') return undefined;
  const payments = rows.map((row) => renderFaultyPix(faults, row));
  if (faults.payments === 'object' && payments.length === 1) return payments[0];
  const fakeAmount = FAKE_PAYMENT_AMOUNTS[faults.payments];
  if (fakeAmount === undefined) return payments;
  // The last eleven characters of an end-to-end id are random.
  const endToEndId = `${rows[0]!.end_to_end_id.slice(0, -11)}${'0'.repeat(11)}`;
  return [{ ...payments[0], valor: fakeAmount, endToEndId }, ...payments];
}

export function renderFaultyCharge(row: ChargeRow, receiver: Receiver, faults: Faults, pix: PixRow[]) {
  const charge = renderCharge(row, receiver, renderPaymentsWithFaults(faults, pix));
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
