import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '#platform/config.ts';
import type { ConfigFaults } from '#platform/settings.ts';
import { type PixSettings, pixSettings, SANDBOX_PIX } from './settings.ts';

const pix = { settings: pixSettings };
const settingsOf = (env: Record<string, string>) => readConfig(env, [pix]).settingsOf(pix) as PixSettings;

function faultsOf(env: Record<string, string>): string[] {
  try {
    settingsOf(env);
    return [];
  } catch (error) {
    return (error as ConfigFaults).faults;
  }
}

const about = (faults: string[], names: RegExp) =>
  faults.filter((fault) => names.test(fault)).map((fault) => fault.split(' ')[0]);

test('the sandbox needs nothing: its PSP is the simulator', () => {
  const psp = settingsOf({});
  assert.equal(psp.connection, null);
  assert.deepEqual([psp.pixKey, psp.timeoutMs], [SANDBOX_PIX.key, 4000]);
});

test('live names everything the PSP needs that is missing, all at once', () => {
  assert.deepEqual(about(faultsOf({ SEMANA_MODE: 'live' }), /^(PSP|PIX)_/).sort(), [
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

test('live refuses plain http, the known secret, half a certificate and a point to crash at', () => {
  const faults = faultsOf({
    SEMANA_MODE: 'live',
    PSP_URL: 'http://pix.example.com/v2',
    PSP_CALLBACK_SECRET: SANDBOX_PIX.callbackSecret,
    PSP_CERT: '/nowhere/cert.pem',
    SEMANA_CRASH_AT: 'after-psp-put',
  });
  assert.ok(faults.some((fault) => /^PSP_URL is not an address that begins with https/.test(fault)));
  assert.ok(faults.some((fault) => /^PSP_CALLBACK_SECRET is the one of the sandbox/.test(fault)));
  assert.ok(faults.some((fault) => /^PSP_CERT names a file that cannot be read \(ENOENT\)/.test(fault)));
  assert.ok(faults.some((fault) => /^PSP_CERT and PSP_KEY belong together/.test(fault)));
  assert.ok(faults.some((fault) => /^SEMANA_CRASH_AT is set/.test(fault)));
  assert.ok(!faults.join().includes(SANDBOX_PIX.callbackSecret), 'secrets are not repeated');
});

const REACHED = {
  PSP_URL: 'https://pix-h.example.com/v2/',
  PSP_TOKEN_URL: 'https://pix-h.example.com/oauth/token',
  PSP_CLIENT_ID: 'id',
  PSP_CLIENT_SECRET: 'secret',
};

test('scopes are named only where the PSP wants it', () => {
  const scopesOf = (PSP_SCOPES: string) => settingsOf({ ...REACHED, PSP_SCOPES }).connection?.scopes;
  assert.deepEqual(scopesOf('cob.write  cob.read '), ['cob.write', 'cob.read']);
  assert.deepEqual(settingsOf(REACHED).connection?.scopes, []);
  for (const wrong of ['cob.write,"pix.read"', 'cob\\read', 'cob.write\tcob.read', 'leitura de cobrança'])
    assert.deepEqual(about(faultsOf({ ...REACHED, PSP_SCOPES: wrong }), /./), ['PSP_SCOPES'], wrong);
});

test('the sandbox can be pointed at the test environment of a real PSP', () => {
  const psp = settingsOf({ ...REACHED, PSP_TOKEN_STYLE: 'form' });
  assert.deepEqual(psp.connection, {
    url: 'https://pix-h.example.com/v2',
    tokenUrl: 'https://pix-h.example.com/oauth/token',
    clientId: 'id',
    clientSecret: 'secret',
    tokenStyle: 'form',
    scopes: [],
    tls: null,
  });
});
