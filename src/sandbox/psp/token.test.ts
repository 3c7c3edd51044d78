import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertPspProblem,
  chargeBody,
  newTxid,
  openTestSimulator,
  requestToken,
  send,
} from '../../../test/support/psp-simulator.ts';
import { SANDBOX_PSP_CLIENT } from './simulator.ts';

const simulatorHost = await openTestSimulator({ tokenSeconds: 1 });
const { call, simulator } = simulatorHost;
const { id, secret } = SANDBOX_PSP_CLIENT;

const requestWithForm = (fields: Record<string, string>) =>
  send(`${simulator.url()}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) });

test('a token is issued for Basic credentials with JSON, and for a form', async () => {
  const basic = await requestToken(simulator.url());
  assert.equal(basic.status, 200);
  assert.equal(basic.body.token_type, 'Bearer');
  assert.equal(basic.body.expires_in, 1);
  const fields = {
    grant_type: 'client_credentials',
    client_id: id,
    client_secret: secret,
    scope: 'cob.read pix.read',
  };
  const byForm = await requestWithForm(fields);
  assert.equal(byForm.body.scope, 'cob.read pix.read');
});

test('401 for wrong credentials, 400 for an unsupported grant', async () => {
  const grant = { grant_type: 'client_credentials', client_id: id };
  assert.equal((await requestWithForm({ ...grant, client_secret: 'wrong' })).status, 401);
  assert.equal((await requestWithForm(grant)).body.error, 'invalid_client');
  const good = { ...grant, client_secret: secret };
  assert.equal(
    (await requestWithForm({ ...good, grant_type: 'password' })).body.error,
    'unsupported_grant_type',
  );
});

test('unknown scopes are dropped', async () => {
  const grant = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  const someResponse = await requestWithForm({ ...grant, scope: 'gn.pix.evp.write cob.read money.print' });
  assert.deepEqual([someResponse.status, someResponse.body.scope], [200, 'cob.read']);
  const noneResponse = await requestWithForm({ ...grant, scope: 'money.print' });
  assert.deepEqual([noneResponse.status, noneResponse.body.scope], [200, '']);
  const token = noneResponse.body.access_token;
  assertPspProblem(await call('GET', `/v2/cob/${newTxid()}`, undefined, { token }), 403, 'AcessoNegado');
});

test('401 without a token, with a forged or an expired one; 403 without the scope', async () => {
  const path = `/v2/cob/${newTxid()}`;
  assertPspProblem(await call('GET', path, undefined, { token: null }), 401, 'AcessoNegado');
  const { access_token: token } = (await requestToken(simulator.url(), 'cob.read')).body;
  const [body, signature] = token.split('.');
  const forged = Buffer.from(body, 'base64url').toString().replace('cob.read', 'cob.write');
  const forgedToken = `${Buffer.from(forged).toString('base64url')}.${signature}`;
  assertPspProblem(await call('GET', path, undefined, { token: forgedToken }), 401, 'AcessoNegado');
  assertPspProblem(await call('GET', path, undefined, { token: 'x' }), 401, 'AcessoNegado');
  assertPspProblem(await call('GET', path, undefined, { token }), 404, 'CobNaoEncontrado');
  assertPspProblem(await call('PUT', path, chargeBody(), { token }), 403, 'AcessoNegado');
  await new Promise((resolve) => setTimeout(resolve, 1_050));
  assertPspProblem(await call('GET', path, undefined, { token }), 401, 'AcessoNegado');
});
