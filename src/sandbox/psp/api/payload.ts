import { parseDay, saoPauloDay } from '#core/day.ts';
import { toReaisText } from '#core/money.ts';
import type { Bank } from '../bank.ts';
import { lastPayableDay, valueOn, writtenParts } from '../due-date-value.ts';
import { renderReceiver } from '../render.ts';
import { type ChargeRow, findChargeAt, type Kind } from '../store/charges.ts';
import { isPlaceToken } from './names.ts';
import { PspProblem, Violations } from './problem.ts';
import type { Answer, Call } from './route.ts';

/**
 * What a payer's app reads at a charge's location: the charge, signed. A removed charge is gone for good (410). One that
 * expired or was paid is still served, with its status, so that the app can say why it cannot be paid; the standard
 * leaves this to the PSP.
 */
export async function readPayload(bank: Bank, kind: Kind, { params, query, now }: Call): Promise<Answer> {
  const token = params.token!;
  const charge = isPlaceToken(token) ? await findChargeAt(bank.db, kind, token) : undefined;
  if (!charge) throw new PspProblem('CobPayloadNaoEncontrado');
  if (charge.status.startsWith('REMOVIDA'))
    throw new PspProblem('CobPayloadNaoEncontrado', [], { status: 410 });
  const payload = kind === 'cob' ? immediate(charge, now) : dueDate(bank, charge, query, now);
  const jws = await bank.keys.sign(payload, `${bank.url()}/jwks.json`);
  return { status: 200, body: jws, contentType: 'application/jose' };
}

function shared({ txid, revision, status, terms }: ChargeRow) {
  const { chave, devedor, solicitacaoPagador, infoAdicionais } = terms;
  return {
    txid,
    revisao: revision,
    status,
    chave,
    ...(devedor && { devedor }),
    ...(solicitacaoPagador !== undefined && { solicitacaoPagador }),
    ...(infoAdicionais && { infoAdicionais }),
  };
}

function immediate(charge: ChargeRow, now: Date) {
  const { calendario, valor } = charge.terms;
  return {
    ...shared(charge),
    calendario: {
      criacao: charge.created_at.toISOString(),
      apresentacao: now.toISOString(),
      expiracao: calendario.expiracao,
    },
    valor: { original: valor.original, modalidadeAlteracao: valor.modalidadeAlteracao ?? 0 },
  };
}

function dueDate(bank: Bank, charge: ChargeRow, { codMun, DPP }: Call['query'], now: Date) {
  const today = saoPauloDay(now.getTime());
  const on = DPP === undefined ? today : parseDay(DPP);
  const wrong = new Violations('');
  if (codMun !== undefined && !/^\d{7}$/.test(codMun)) wrong.add('codMun', schema, codMun);
  if (on === null) wrong.add('DPP', schema, DPP);
  else if (on < today) wrong.add('DPP', () => 'DPP anterior ao momento presente.', DPP);
  else if (on > lastPayableDay(charge.terms))
    wrong.add('DPP', () => 'DPP superior à validade da cobrança.', DPP);
  wrong.throwIfAny('CobPayloadOperacaoInvalida');
  const parts = valueOn(charge.terms, on!);
  return {
    ...shared(charge),
    calendario: {
      criacao: charge.created_at.toISOString(),
      apresentacao: now.toISOString(),
      ...charge.terms.calendario,
    },
    recebedor: renderReceiver(bank.receiver),
    valor: { ...writtenParts(parts), final: toReaisText(parts.final) },
  };
}

const schema = (name: string) => `O parâmetro ${name} não respeita o _schema_.`;
