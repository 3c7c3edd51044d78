import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { readConfiguration } from '../modules.ts';
import { ConfigErrors } from './settings.ts';
import { MissingKeyError, parseDataKeys, SANDBOX_SECRETS, Vault } from './vault.ts';

const key = (version: number) => ({ version, key: randomBytes(32) });
const lookupKey = randomBytes(32);
const [first, second] = [key(1), key(2)];
const oldVault = new Vault({ dataKeys: [first], lookupKey });
const both = new Vault({ dataKeys: [second, first], lookupKey });

test('an encrypted text decrypts again, differs every time, and does not contain the text', () => {
  const [one, other] = [
    oldVault.encrypt('12345678909', 'somebody'),
    oldVault.encrypt('12345678909', 'somebody'),
  ];
  assert.equal(oldVault.decrypt(one, 'somebody'), '12345678909');
  assert.notDeepEqual(one.bytes, other.bytes);
  assert.ok(!one.bytes.includes('123456'));
});

test('the first key encrypts, every key decrypts; the error names a missing key', () => {
  const ciphertext = oldVault.encrypt('text', 'x');
  assert.equal(both.decrypt(ciphertext, 'x'), 'text');
  assert.equal(both.encrypt('text', 'x').version, 2);
  const later = new Vault({ dataKeys: [second], lookupKey });
  assert.throws(() => later.decrypt(ciphertext, 'x'), MissingKeyError);
  assert.throws(() => later.requireKey(1), /version 1/);
});

test('a ciphertext that was moved to another row, changed or truncated does not decrypt', () => {
  const ciphertext = oldVault.encrypt('12345678909', 'cpf of cus_1');
  assert.throws(() => oldVault.decrypt(ciphertext, 'cpf of cus_2'));
  for (let at = 0; at < ciphertext.bytes.length; at++) {
    const bytes = Buffer.from(ciphertext.bytes);
    bytes[at]! ^= 1;
    assert.throws(() => oldVault.decrypt({ ...ciphertext, bytes }, 'cpf of cus_1'));
  }
  for (const length of [0, 11, 12, 27, ciphertext.bytes.length - 1]) {
    const bytes = ciphertext.bytes.subarray(0, length);
    assert.throws(() => oldVault.decrypt({ ...ciphertext, bytes }, 'cpf of cus_1'));
  }
});

test('keyed hashes are equal only for the same text, kind and key', () => {
  assert.deepEqual(oldVault.hash('cpf', '1'), both.hash('cpf', '1'));
  assert.notDeepEqual(oldVault.hash('cpf', '1'), oldVault.hash('phone', '1'));
  assert.notDeepEqual(oldVault.hash('cpf', '1'), new Vault(SANDBOX_SECRETS).hash('cpf', '1'));
});

const encoded = (bytes: number) => randomBytes(bytes).toString('base64');

test('DATA_KEYS is parsed strictly', () => {
  const keys = parseDataKeys(`2:${second.key.toString('base64')}, 1:${first.key.toString('base64')}`);
  assert.deepEqual(keys, [second, first]);
  for (const invalidValue of [
    '',
    encoded(32),
    `0:${encoded(32)}`,
    `1:${encoded(31)}`,
    `1:${encoded(33)}`,
    `1:${encoded(32)},`,
    `1:${encoded(32)},1:${encoded(32)}`,
    'x:y',
  ]) {
    assert.equal(parseDataKeys(invalidValue), undefined, invalidValue);
  }
});

const OURS = /^(DATA_KEYS|LOOKUP_KEY|SMS_SENDER|TWILIO_\w+|TRUST_PROXY) /;

/** The errors of the settings that this file tests. */
const faultsOf = (env: Record<string, string>): string[] => {
  try {
    readConfiguration(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigErrors);
    return error.errors.filter((fault) => OURS.test(fault));
  }
};
const live = {
  SEMANA_MODE: 'live',
  DATA_KEYS: `1:${encoded(32)}`,
  LOOKUP_KEY: encoded(32),
  SMS_SENDER: 'twilio',
  TWILIO_ACCOUNT_SID: 'AC1',
  TWILIO_AUTH_TOKEN: 'secret',
  TWILIO_FROM: '+15005550006',
};

test('the sandbox needs no keys; live mode reports everything that is missing together', () => {
  assert.deepEqual(faultsOf({}), []);
  assert.deepEqual(faultsOf(live), []);
  const missing = faultsOf({ SEMANA_MODE: 'live' }).map((fault) => fault.split(' ')[0]);
  for (const name of ['DATA_KEYS', 'LOOKUP_KEY', 'SMS_SENDER']) {
    assert.ok(missing.includes(name), name);
  }
  const { TWILIO_ACCOUNT_SID: _, TWILIO_AUTH_TOKEN: __, TWILIO_FROM: ___, ...withoutAccount } = live;
  assert.equal(faultsOf(withoutAccount).length, 3);
});

test('live mode rejects the keys of the sandbox, the inbox, and a gateway without https', () => {
  const known = SANDBOX_SECRETS.dataKeys[0]!.key.toString('base64');
  assert.match(faultsOf({ ...live, DATA_KEYS: `7:${known}` })[0]!, /is the public key of the sandbox/);
  assert.match(faultsOf({ ...live, LOOKUP_KEY: known })[0]!, /is the public key of the sandbox/);
  assert.match(faultsOf({ ...live, SMS_SENDER: 'inbox' })[0]!, /SMS_SENDER/);
  assert.match(faultsOf({ ...live, TWILIO_URL: 'http://gateway.example' })[0]!, /TWILIO_URL/);
});

test('an error message never repeats a secret', () => {
  const secret = 'c2VjcmV0LXNlY3JldA==';
  for (const env of [{ DATA_KEYS: `1:${secret}` }, { LOOKUP_KEY: secret }]) {
    const faults = faultsOf(env);
    assert.equal(faults.length, 1);
    assert.ok(!faults[0]!.includes(secret));
  }
});

test('TRUST_PROXY accepts addresses and networks', () => {
  assert.equal(readConfiguration({}).config.trustProxy, false);
  assert.equal(readConfiguration({ TRUST_PROXY: '10.0.0.0/8,::1' }).config.trustProxy, '10.0.0.0/8,::1');
  assert.match(faultsOf({ TRUST_PROXY: 'proxy.example' })[0]!, /TRUST_PROXY/);
});
