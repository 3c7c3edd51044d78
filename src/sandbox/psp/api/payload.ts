import { renderRec } from '../autopay/render.ts';
import { findRecAt } from '../autopay/store.ts';
import type { Bank } from '../bank.ts';
import { type ChargeRow, findChargeAt } from '../store/charges.ts';
import { isPlaceToken } from './names.ts';
import { PspProblem } from './problem.ts';
import type { Call, PspResponse } from './route.ts';

/**
 * What a payer's app reads at a charge's location: the charge as a JWS. A removed charge answers 410. An expired or paid one
 * is still served, with its status, so that the app can say why it cannot be paid; the standard leaves this to the PSP.
 */
export async function readPayload(bank: Bank, { params, now }: Call): Promise<PspResponse> {
  const token = params.token!;
  const charge = isPlaceToken(token) ? await findChargeAt(bank.db, token) : undefined;
  if (!charge) throw new PspProblem('CobPayloadNaoEncontrado');
  if (charge.status.startsWith('REMOVIDA'))
    throw new PspProblem('CobPayloadNaoEncontrado', [], { status: 410 });
  const jws = await bank.keys.sign(payloadOf(charge, now), `${bank.url()}/jwks.json`);
  return { status: 200, body: jws, contentType: 'application/jose' };
}

/** What it reads at the location of an authorisation. */
export async function readRecPayload(bank: Bank, { params }: Call): Promise<PspResponse> {
  const token = params.token!;
  const rec = isPlaceToken(token) ? await findRecAt(bank.db, token) : undefined;
  if (!rec) throw new PspProblem('RecNaoEncontrada');
  const { idRec, vinculo, calendario, valor, recebedor, status, atualizacao, politicaRetentativa } =
    renderRec(rec, bank.receiver);
  const payload = { idRec, vinculo, calendario, valor, recebedor, status, atualizacao, politicaRetentativa };
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
