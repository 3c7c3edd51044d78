import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createValidConfigReader } from '#platform/config.ts';
import type { ConfigErrors } from '#platform/settings.ts';
import { type PixSettings, pixSettings, SANDBOX_PIX } from './settings.ts';

/** The part of the module that `createValidConfigReader` reads. */
const pixModule = { settings: pixSettings };
const readSettings = (env: Record<string, string>) =>
  createValidConfigReader(env, [pixModule]).readSettings(pixModule) as PixSettings;

function listErrors(env: Record<string, string>): string[] {
  try {
    readSettings(env);
    return [];
  } catch (error) {
    return (error as ConfigErrors).errors;
  }
}

/** Lists the settings whose errors match. An error begins with the name of its setting. */
const listSettings = (errors: string[], pattern = /./) =>
  errors.filter((error) => pattern.test(error)).map((error) => error.slice(0, error.indexOf(' ')));

test('the sandbox needs no settings: its PSP is the simulator', () => {
  const settings = readSettings({});
  assert.equal(settings.connection, null);
  assert.deepEqual([settings.pixKey, settings.timeoutMs], [SANDBOX_PIX.key, 4000]);
});

test('live mode reports all missing settings of the PSP together', () => {
  assert.deepEqual(listSettings(listErrors({ SEMANA_MODE: 'live' }), /^(PSP|PIX)_/).sort(), [
    'PIX_KEY',
    'PIX_RECEIVER_CITY',
    'PIX_RECEIVER_NAME',
    'PSP_CALLBACK_SECRET',
    'PSP_CERT',
    'PSP_CLIENT_ID',
    'PSP_CLIENT_SECRET',
    'PSP_TOKEN_URL',
    'PSP_URL',
  ]);
});

test('live mode refuses plain http, the published secret, an incomplete certificate and a failpoint', () => {
  const errors = listErrors({
    SEMANA_MODE: 'live',
    PSP_URL: 'http://pix.example.com/v2',
    PSP_CALLBACK_SECRET: SANDBOX_PIX.callbackSecret,
    PSP_CERT: '/nowhere/cert.pem',
    SEMANA_CRASH_AT: 'after-psp-put',
  });
  assert.ok(errors.some((error) => /^PSP_URL is not a URL that begins with https/.test(error)));
  assert.ok(errors.some((error) => /^PSP_CALLBACK_SECRET is the public value of the sandbox/.test(error)));
  assert.ok(errors.some((error) => /^PSP_CERT names a file that cannot be read \(ENOENT\)/.test(error)));
  assert.ok(errors.some((error) => /^PSP_CERT and PSP_KEY belong together/.test(error)));
  assert.ok(errors.some((error) => /^SEMANA_CRASH_AT is set/.test(error)));
  assert.ok(!errors.join().includes(SANDBOX_PIX.callbackSecret), 'secrets are not repeated');
});

const CONNECTION = {
  PSP_URL: 'https://pix-h.example.com/v2/',
  PSP_TOKEN_URL: 'https://pix-h.example.com/oauth/token',
  PSP_CLIENT_ID: 'id',
  PSP_CLIENT_SECRET: 'secret',
};

test('scopes are optional, and validated', () => {
  const readScopes = (PSP_SCOPES: string) => readSettings({ ...CONNECTION, PSP_SCOPES }).connection?.scopes;
  assert.deepEqual(readScopes('cob.write  cob.read '), ['cob.write', 'cob.read']);
  assert.deepEqual(readSettings(CONNECTION).connection?.scopes, []);
  for (const invalidValue of [
    'cob.write,"pix.read"',
    'cob\\read',
    'cob.write\tcob.read',
    'leitura de cobrança',
  ])
    assert.deepEqual(
      listSettings(listErrors({ ...CONNECTION, PSP_SCOPES: invalidValue })),
      ['PSP_SCOPES'],
      invalidValue,
    );
});

test('the sandbox can be pointed at the test environment of a real PSP', () => {
  const settings = readSettings({ ...CONNECTION, PSP_TOKEN_STYLE: 'form' });
  assert.deepEqual(settings.connection, {
    url: 'https://pix-h.example.com/v2',
    tokenUrl: 'https://pix-h.example.com/oauth/token',
    clientId: 'id',
    clientSecret: 'secret',
    tokenStyle: 'form',
    scopes: [],
    tls: null,
  });
});
