import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compactVerify, createLocalJWKSet, decodeProtectedHeader } from 'jose';
import {
  assertPspProblem,
  chargeBody,
  newTxid,
  openTestSimulator,
  PIX_KEY,
  send,
} from '../../../test/support/psp-simulator.ts';

const simulatorHost = await openTestSimulator();
const { call, clock, simulator } = simulatorHost;

const readLocation = (location: string) => send(`http://${location}`, {});

async function verify(jws: string) {
  const { jku } = decodeProtectedHeader(jws);
  const jwks = await send(jku!, {});
  const { payload, protectedHeader } = await compactVerify(jws, createLocalJWKSet(jwks.body));
  return { header: protectedHeader, payload: JSON.parse(new TextDecoder().decode(payload)) };
}

test('the location returns the charge without authentication, signed with the key of /jwks.json', async () => {
  const txid = newTxid();
  const payer = { devedor: { cpf: '12345678909', nome: 'Ana' }, solicitacaoPagador: 'Parcela 1' };
  const { body } = await call('PUT', `/v2/cob/${txid}`, chargeBody('52.30', payer));
  clock.advance(5000);
  const response = await readLocation(body.location);
  assert.equal(response.status, 200);
  assert.equal(response.contentType, 'application/jose');
  const { header, payload } = await verify(response.text);
  assert.equal(header.alg, 'RS256');
  assert.equal(header.jku, `${simulator.url()}/jwks.json`);
  assert.deepEqual(payload, {
    txid,
    revisao: 0,
    status: 'ATIVA',
    chave: PIX_KEY,
    ...payer,
    calendario: {
      criacao: body.calendario.criacao,
      apresentacao: clock.now().toISOString(),
      expiracao: 3600,
    },
    valor: { original: '52.30', modalidadeAlteracao: 0 },
  });
});

test('the public key set contains no private parameters', async () => {
  const { body } = await send(`${simulator.url()}/jwks.json`, {});
  assert.deepEqual(Object.keys(body.keys[0]).sort(), ['alg', 'e', 'key_ops', 'kid', 'kty', 'n', 'use']);
});

test('a forged payload does not verify', async () => {
  const { body } = await call('POST', '/v2/cob', chargeBody());
  const [head, payload, signature] = (await readLocation(body.location)).text.split('.');
  const forgedPayload = JSON.parse(Buffer.from(payload!, 'base64url').toString());
  forgedPayload.valor.original = '0.01';
  const forgedJws = [head, Buffer.from(JSON.stringify(forgedPayload)).toString('base64url'), signature].join(
    '.',
  );
  await assert.rejects(verify(forgedJws));
});

test('expired and paid charges are returned, a removed one gives 410, an unknown one 404', async () => {
  const { body: charge } = await call('POST', '/v2/cob', chargeBody());
  clock.advance(7200_000);
  assert.equal((await readLocation(charge.location)).status, 200);
  await simulator.pay(charge.txid, { force: true });
  assert.equal((await verify((await readLocation(charge.location)).text)).payload.status, 'CONCLUIDA');
  const { body: removedCharge } = await call('POST', '/v2/cob', chargeBody());
  await call('PATCH', `/v2/cob/${removedCharge.txid}`, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
  assertPspProblem(await readLocation(removedCharge.location), 410, 'CobPayloadNaoEncontrado');
  const unknownLocation = removedCharge.location.replace(/.{4}$/, '0000');
  assertPspProblem(await readLocation(unknownLocation), 404, 'CobPayloadNaoEncontrado');
});

test('a location can be created before its charge, used by only one charge, and detached', async () => {
  const { status, body: location } = await call('POST', '/v2/loc', { tipoCob: 'cob' });
  assert.equal(status, 201);
  assert.equal(location.txid, undefined);
  assertPspProblem(await readLocation(location.location), 404, 'CobPayloadNaoEncontrado');

  const txid = newTxid();
  const createResponse = await call(
    'PUT',
    `/v2/cob/${txid}`,
    chargeBody('1.00', { loc: { id: location.id } }),
  );
  assert.equal(createResponse.body.location, location.location);
  assert.equal((await call('GET', `/v2/loc/${location.id}`)).body.txid, txid);
  assert.equal((await readLocation(location.location)).status, 200);

  const otherChargeResponse = await call(
    'PUT',
    `/v2/cob/${newTxid()}`,
    chargeBody('1.00', { loc: { id: location.id } }),
  );
  assertPspProblem(otherChargeResponse, 400, 'CobOperacaoInvalida', ['cob.loc.id']);

  const detachResponse = await call('DELETE', `/v2/loc/${location.id}/txid`);
  assert.equal(detachResponse.status, 200);
  assert.equal(detachResponse.body.txid, undefined);
  const chargeWithoutLocation = (await call('GET', `/v2/cob/${txid}`)).body;
  assert.deepEqual(
    [
      chargeWithoutLocation.status,
      chargeWithoutLocation.location,
      chargeWithoutLocation.loc,
      chargeWithoutLocation.pixCopiaECola,
    ],
    ['ATIVA', undefined, undefined, undefined],
  );
  assertPspProblem(await readLocation(location.location), 404, 'CobPayloadNaoEncontrado');

  const reattachResponse = await call('PATCH', `/v2/cob/${txid}`, { loc: { id: location.id } });
  assert.equal(reattachResponse.body.location, location.location);
  assert.equal(
    reattachResponse.body.revisao,
    0,
    'a change of only the location does not increment the revision',
  );
});

test('locations are listed; an unknown location gives 404', async () => {
  const period = 'inicio=2026-01-01T00:00:00Z&fim=2027-01-01T00:00:00Z';
  const { body: unusedLocation } = await call('POST', '/v2/loc', { tipoCob: 'cob' });
  const { body } = await call('GET', `/v2/loc?${period}&tipoCob=cob&txIdPresente=false`);
  assert.deepEqual(body.loc, [unusedLocation]);
  assertPspProblem(await call('GET', `/v2/loc?${period}&tipoCob=x`), 400, 'PayloadLocationConsultaInvalida', [
    'tipoCob',
  ]);
  for (const invalidBody of [{}, { tipoCob: 'cobv' }])
    assertPspProblem(await call('POST', '/v2/loc', invalidBody), 400, 'PayloadLocationOperacaoInvalida', [
      'tipoCob',
    ]);
  for (const id of ['999999', 'x', '99999999999999999999'])
    assertPspProblem(await call('GET', `/v2/loc/${id}`), 404, 'PayloadLocationNaoEncontrado');
  assertPspProblem(await call('DELETE', '/v2/loc/999999/txid'), 404, 'PayloadLocationNaoEncontrado');
});
