import { renderRec } from '../autopay/render.ts';
import { findRecByToken } from '../autopay/store.ts';
import type { Bank } from '../bank.ts';
import { type ChargeRow, findChargeByToken } from '../store/charges.ts';
import { isLocationToken } from './list-query.ts';
import { type BankRequest, findOrThrow, PspProblem, type PspResponse } from './protocol.ts';

/**
 * Returns what a payer's app reads at the location of a charge: the charge as a JWS. For a removed charge the status is 410. An
 * expired or paid charge is still returned, so that the app can explain why it cannot be paid; the standard leaves this to the
 * PSP.
 */
export async function readChargePayload({ bank, params, now }: BankRequest): Promise<PspResponse> {
  const find = (token: string) => findChargeByToken(bank.db, token);
  const charge = await findOrThrow(params.token, isLocationToken, find, 'CobPayloadNaoEncontrado');
  if (charge.status.startsWith('REMOVIDA'))
    throw new PspProblem('CobPayloadNaoEncontrado', [], { status: 410 });
  return signPayload(bank, toChargePayload(charge, now));
}

export async function readRecPayload({ bank, params }: BankRequest): Promise<PspResponse> {
  const find = (token: string) => findRecByToken(bank.db, token);
  const rec = await findOrThrow(params.token, isLocationToken, find, 'RecNaoEncontrada');
  const { idRec, vinculo, calendario, valor, recebedor, status, atualizacao, politicaRetentativa } =
    renderRec(rec, bank.receiver);
  const payload = { idRec, vinculo, calendario, valor, recebedor, status, atualizacao, politicaRetentativa };
  return signPayload(bank, payload);
}

async function signPayload(bank: Bank, payload: object): Promise<PspResponse> {
  const jws = await bank.keys.sign(payload, `${bank.url()}/jwks.json`);
  return { status: 200, body: jws, contentType: 'application/jose' };
}

function toChargePayload({ txid, revision, status, terms, created_at }: ChargeRow, now: Date) {
  const { calendario, valor, chave, devedor, solicitacaoPagador, infoAdicionais } = terms;
  return {
    txid,
    revisao: revision,
    status,
    chave,
    ...(devedor && { devedor }),
    ...(solicitacaoPagador !== undefined && { solicitacaoPagador }),
    ...(infoAdicionais && { infoAdicionais }),
    calendario: {
      criacao: created_at.toISOString(),
      apresentacao: now.toISOString(),
      expiracao: calendario.expiracao,
    },
    valor: { original: valor.original, modalidadeAlteracao: valor.modalidadeAlteracao ?? 0 },
  };
}
