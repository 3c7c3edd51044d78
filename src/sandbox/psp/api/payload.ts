import { renderRec } from '../autopay/render.ts';
import { findRecAt } from '../autopay/store.ts';
import type { Bank } from '../bank.ts';
import { type ChargeRow, findChargeAt } from '../store/charges.ts';
import { isPlaceToken } from './names.ts';
import { found, PspProblem } from './problem.ts';
import type { Call, PspResponse } from './route.ts';

/**
 * What a payer's app reads at a charge's location: the charge as a JWS. A removed charge answers 410. An expired or paid one
 * is still served, with its status, so that the app can say why it cannot be paid; the standard leaves this to the PSP.
 */
export async function readPayload({ bank, params, now }: Call): Promise<PspResponse> {
  const find = (token: string) => findChargeAt(bank.db, token);
  const charge = await found(params.token, isPlaceToken, find, 'CobPayloadNaoEncontrado');
  if (charge.status.startsWith('REMOVIDA'))
    throw new PspProblem('CobPayloadNaoEncontrado', [], { status: 410 });
  return signed(bank, payloadOf(charge, now));
}

/** What it reads at the location of an authorisation. */
export async function readRecPayload({ bank, params }: Call): Promise<PspResponse> {
  const find = (token: string) => findRecAt(bank.db, token);
  const rec = await found(params.token, isPlaceToken, find, 'RecNaoEncontrada');
  const { idRec, vinculo, calendario, valor, recebedor, status, atualizacao, politicaRetentativa } =
    renderRec(rec, bank.receiver);
  const payload = { idRec, vinculo, calendario, valor, recebedor, status, atualizacao, politicaRetentativa };
  return signed(bank, payload);
}

async function signed(bank: Bank, payload: object): Promise<PspResponse> {
  const jws = await bank.keys.sign(payload, `${bank.url()}/jwks.json`);
  return { status: 200, body: jws, contentType: 'application/jose' };
}

function payloadOf({ txid, revision, status, terms, created_at }: ChargeRow, now: Date) {
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
