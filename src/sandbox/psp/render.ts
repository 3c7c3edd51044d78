import { encodeBrCode } from '#core/values/br-code.ts';
import { cents, toReaisText } from '#core/values/money.ts';
import type { Receiver } from './bank.ts';
import type { ChargeRow } from './store/charges.ts';
import type { LocationRow } from './store/locations.ts';
import type { PixRow, RefundRow } from './store/pix.ts';
import type { WebhookRow } from './store/webhooks.ts';

// Renders rows of the simulator's tables with the standard's field names.

/** `pix` are the rendered payments of the charge. */
export function renderCharge(charge: ChargeRow, receiver: Receiver, pix?: unknown) {
  const { txid, revision, status, terms, created_at } = charge;
  const { calendario, devedor, valor, chave, solicitacaoPagador, infoAdicionais } = terms;
  return {
    calendario: { criacao: created_at.toISOString(), ...calendario },
    txid,
    revisao: revision,
    ...renderLocationAndCode(charge, receiver),
    status,
    ...(devedor && { devedor }),
    valor,
    chave,
    ...(solicitacaoPagador !== undefined && { solicitacaoPagador }),
    ...(infoAdicionais && { infoAdicionais }),
    ...(pix !== undefined && { pix }),
  };
}

/** A charge that is detached from its location has neither a location nor a code. */
function renderLocationAndCode(
  { txid, location_id, location, location_created_at }: ChargeRow,
  receiver: Receiver,
) {
  if (location_id === null || location === null || location_created_at === null) return {};
  const loc = { id: location_id, txid, location, tipoCob: 'cob', criacao: location_created_at.toISOString() };
  const pixCopiaECola = encodeBrCode({
    target: { kind: 'dynamic', location },
    initiation: '12',
    merchantName: receiver.name,
    merchantCity: receiver.city,
  });
  return { loc, location, pixCopiaECola };
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

export function renderLocation({ id, location, txid, created_at }: LocationRow) {
  return { id, ...(txid !== null && { txid }), location, tipoCob: 'cob', criacao: created_at.toISOString() };
}

export function renderWebhook({ key, url, created_at }: WebhookRow) {
  return { webhookUrl: url, chave: key, criacao: created_at.toISOString() };
}
