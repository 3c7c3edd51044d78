import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertPspProblem,
  buildChargeBody,
  newTxid,
  openTestSimulator,
  requestToken,
  send,
} from '../../../test/support/psp-simulator.ts';
import { SANDBOX_PSP_CLIENT } from './simulator.ts';

const TOKEN_SECONDS = 1;
const simulatorHost = await openTestSimulator({ tokenSeconds: TOKEN_SECONDS });
const { call, simulator } = simulatorHost;
const { id, secret } = SANDBOX_PSP_CLIENT;
const getWithToken = (path: string, token: string | null) => call('GET', path, undefined, { token });

const requestWithForm = (fields: Record<string, string>) =>
  send(`${simulator.url()}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) });

test('a token is issued for Basic credentials with JSON, and for a form', async () => {
  const basicResponse = await requestToken(simulator.url());
  assert.equal(basicResponse.status, 200);
  assert.equal(basicResponse.body.token_type, 'Bearer');
  assert.equal(basicResponse.body.expires_in, TOKEN_SECONDS);
  const fields = {
    grant_type: 'client_credentials',
    client_id: id,
    client_secret: secret,
    scope: 'cob.read pix.read',
  };
  const formResponse = await requestWithForm(fields);
  assert.equal(formResponse.body.scope, 'cob.read pix.read');
});

test('401 for wrong or missing credentials, 400 for an unsupported grant', async () => {
  const grant = { grant_type: 'client_credentials', client_id: id };
  assert.equal((await requestWithForm({ ...grant, client_secret: 'wrong' })).status, 401);
  const missingSecretResponse = await requestWithForm(grant);
  assert.deepEqual([missingSecretResponse.status, missingSecretResponse.body.error], [401, 'invalid_client']);
  const validGrant = { ...grant, client_secret: secret };
  const { status, body } = await requestWithForm({ ...validGrant, grant_type: 'password' });
  assert.deepEqual([status, body.error], [400, 'unsupported_grant_type']);
});

test('unknown scopes are dropped', async () => {
  const grant = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  const oneKnownScopeResponse = await requestWithForm({
    ...grant,
    scope: 'gn.pix.evp.write cob.read money.print',
  });
  assert.deepEqual([oneKnownScopeResponse.status, oneKnownScopeResponse.body.scope], [200, 'cob.read']);
  const noKnownScopeResponse = await requestWithForm({ ...grant, scope: 'money.print' });
  assert.deepEqual([noKnownScopeResponse.status, noKnownScopeResponse.body.scope], [200, '']);
  const token = noKnownScopeResponse.body.access_token;
  assertPspProblem(await getWithToken(`/v2/cob/${newTxid()}`, token), 403, 'AcessoNegado');
});

test('401 without a token, with a forged token or an expired token; 403 without the scope', async () => {
  const path = `/v2/cob/${newTxid()}`;
  assertPspProblem(await getWithToken(path, null), 401, 'AcessoNegado');
  const { access_token: token } = (await requestToken(simulator.url(), 'cob.read')).body;
  const [body, signature] = token.split('.');
  const forgedClaims = Buffer.from(body, 'base64url').toString().replace('cob.read', 'cob.write');
  const forgedToken = `${Buffer.from(forgedClaims).toString('base64url')}.${signature}`;
  assertPspProblem(await getWithToken(path, forgedToken), 401, 'AcessoNegado');
  assertPspProblem(await getWithToken(path, 'x'), 401, 'AcessoNegado');
  assertPspProblem(await getWithToken(path, token), 404, 'CobNaoEncontrado');
  assertPspProblem(await call('PUT', path, buildChargeBody(), { token }), 403, 'AcessoNegado');
  await new Promise((resolve) => setTimeout(resolve, TOKEN_SECONDS * 1_000 + 50));
  assertPspProblem(await getWithToken(path, token), 401, 'AcessoNegado');
});
