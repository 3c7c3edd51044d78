import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { createValidConfigReader } from '#platform/config.ts';
import { createLog } from '#platform/observability/log.ts';
import {
  CLIENT_SECRET,
  newTxid,
  openScriptedPsp,
  openTestClient,
  sendJson,
} from '../../../test/support/psp.ts';
import { connectPsp } from '../open-pix.ts';
import { type PixSettings, pixSettings } from '../settings.ts';
import { PspUnavailable } from './failures.ts';

/** The PSP has no charge, so `getCob` returns null. */
const sendNotFound = (_request: unknown, response: ServerResponse) => sendJson(response, 404, {});

function createClock() {
  let nowMs = 0;
  return {
    now: () => new Date(nowMs),
    advance(ms: number) {
      nowMs += ms;
    },
  };
}

test('concurrent requests share one token request', async () => {
  const psp = await openScriptedPsp(sendNotFound, (_request, response) =>
    setTimeout(() => sendJson(response, 200, { access_token: 't', expires_in: 60 }), 200),
  );
  const { client } = openTestClient({ url: psp.url });
  await Promise.all(Array.from({ length: 10 }, () => client.getCob(newTxid())));
  assert.equal(psp.listTokenRequests().length, 1);
  assert.equal(psp.listCalls().length, 10);
});

test('a token is renewed shortly before it expires', async () => {
  const clock = createClock();
  const psp = await openScriptedPsp(sendNotFound, (_request, response) =>
    sendJson(response, 200, { access_token: `t${psp.listTokenRequests().length}`, expires_in: 3600 }),
  );
  const { client } = openTestClient({ url: psp.url, clock });
  await client.getCob(newTxid());
  // The token is valid for 3,600 s, and renewed 60 s before it expires.
  clock.advance(3_539_000);
  await client.getCob(newTxid());
  assert.equal(psp.listTokenRequests().length, 1);
  clock.advance(2_000);
  await client.getCob(newTxid());
  assert.equal(psp.listTokenRequests().length, 2);
  assert.deepEqual(
    psp.listCalls().map(({ headers }) => headers.authorization),
    ['Bearer t1', 'Bearer t1', 'Bearer t2'],
  );
});

test('a token that expires within seconds is used for 90 % of that time, one without an expiry for some minutes', async () => {
  const clock = createClock();
  let expiresIn: number | undefined = 10;
  const psp = await openScriptedPsp(sendNotFound, (_request, response) =>
    sendJson(response, 200, { access_token: 't', ...(expiresIn && { expires_in: expiresIn }) }),
  );
  const { client } = openTestClient({ url: psp.url, clock });
  await client.getCob(newTxid());
  // The token is renewed after 9 s, 90 % of its lifetime.
  clock.advance(8_900);
  await client.getCob(newTxid());
  assert.equal(psp.listTokenRequests().length, 1);
  expiresIn = undefined;
  clock.advance(200);
  await client.getCob(newTxid());
  // Without an expiry, the token is assumed to be valid for 300 s. It is renewed after 240 s.
  clock.advance(200_000);
  await client.getCob(newTxid());
  assert.equal(psp.listTokenRequests().length, 2);
});

test('after a 401 the token is renewed and the request repeated once; concurrent 401s share one renewal', async () => {
  const psp = await openScriptedPsp(
    ({ headers }, response) => sendJson(response, headers.authorization === 'Bearer t1' ? 401 : 404, {}),
    (_request, response) =>
      sendJson(response, 200, { access_token: `t${psp.listTokenRequests().length}`, expires_in: 3600 }),
  );
  const { client } = openTestClient({ url: psp.url });
  const charges = await Promise.all(Array.from({ length: 5 }, () => client.getCob(newTxid())));
  assert.ok(charges.every((charge) => charge === null));
  assert.equal(psp.listTokenRequests().length, 2);
  assert.equal(psp.listCalls().length, 10);
});

test('a second 401 is reported as invalid credentials, without a third attempt', async () => {
  const psp = await openScriptedPsp((_request, response) => sendJson(response, 401, {}));
  const { client } = openTestClient({ url: psp.url });
  await assert.rejects(client.getCob(newTxid()), (error) => {
    assert.ok(error instanceof PspUnavailable);
    assert.deepEqual([error.reason, error.effect], ['credentials', 'none']);
    return true;
  });
  assert.equal(psp.listCalls().length, 2);
});

test('a refused token request is reported as invalid credentials, other errors are retried; no message contains the secret', async () => {
  let status = 401;
  const psp = await openScriptedPsp(sendNotFound, (_request, response) =>
    sendJson(response, status, { error: 'invalid_client', error_description: `secret ${CLIENT_SECRET}` }),
  );
  const { client, readLog } = openTestClient({ url: psp.url });
  const requestAndGetFailureReason = async () => {
    try {
      await client.getCob(newTxid());
    } catch (error) {
      assert.ok(error instanceof PspUnavailable);
      assert.equal(error.effect, 'none');
      assert.ok(!error.message.includes(CLIENT_SECRET));
      return error.reason;
    }
    return assert.fail('the request succeeded');
  };
  assert.equal(await requestAndGetFailureReason(), 'credentials');
  assert.equal(psp.listTokenRequests().length, 1);
  status = 503;
  assert.equal(await requestAndGetFailureReason(), 'server_error');
  assert.equal(psp.listTokenRequests().length, 4, 'one request before, and three attempts');
  status = 200;
  assert.equal(await requestAndGetFailureReason(), 'garbled', 'the response has no token');
  assert.equal(psp.listCalls().length, 0);
  assert.ok(!readLog().includes(CLIENT_SECRET));
});

test('with the form style, the credentials are in the body and not in the header', async () => {
  const psp = await openScriptedPsp(sendNotFound);
  const { client } = openTestClient({ url: psp.url, tokenStyle: 'form', scopes: ['cob.read', 'pix.read'] });
  await client.getCob(newTxid());
  const [request] = psp.listTokenRequests();
  assert.equal(request!.headers.authorization, undefined);
  assert.deepEqual(Object.fromEntries(new URLSearchParams(request!.body)), {
    grant_type: 'client_credentials',
    scope: 'cob.read pix.read',
    client_id: 'sandbox-psp-client',
    client_secret: CLIENT_SECRET,
  });
});

/** The part of the module's manifest that `createValidConfigReader` reads. */
const pixModule = { settings: pixSettings };

test('the configured scopes are requested, by default none', async () => {
  const psp = await openScriptedPsp(sendNotFound);
  for (const [settings, scope] of [
    [{ PSP_SCOPES: 'cob.write cob.read' }, 'cob.write cob.read'],
    [{}, undefined],
  ] as const) {
    const env = {
      PSP_URL: `${psp.url}/v2`,
      PSP_TOKEN_URL: `${psp.url}/oauth/token`,
      PSP_CLIENT_ID: 'sandbox-psp-client',
      PSP_CLIENT_SECRET: CLIENT_SECRET,
      ...settings,
    };
    const pixConfig = createValidConfigReader(env, [pixModule]).readSettings(pixModule) as PixSettings;
    const { connection, receiver, timeoutMs } = pixConfig;
    const client = connectPsp(connection!, { receiver, timeoutMs, log: createLog('silent') });
    await client.getCob(newTxid());
    client.close();
    assert.equal(JSON.parse(psp.listTokenRequests().at(-1)!.body).scope, scope);
  }
});
