import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { readConfiguration } from '../modules.ts';
import { omit } from './omit.ts';
import { ConfigErrors } from './settings.ts';
import { MissingKeyError, parseDataKeys, SANDBOX_SECRETS, Vault } from './vault.ts';

const createKey = (version: number) => ({ version, key: randomBytes(32) });
const lookupKey = randomBytes(32);
const [firstKey, secondKey] = [createKey(1), createKey(2)];
const oldVault = new Vault({ dataKeys: [firstKey], lookupKey });
const rotatedVault = new Vault({ dataKeys: [secondKey, firstKey], lookupKey });

test('a ciphertext decrypts to the text, differs every time, and does not contain the text', () => {
  const [firstCiphertext, secondCiphertext] = [
    oldVault.encrypt('12345678909', 'a person'),
    oldVault.encrypt('12345678909', 'a person'),
  ];
  assert.equal(oldVault.decrypt(firstCiphertext, 'a person'), '12345678909');
  assert.notDeepEqual(firstCiphertext.bytes, secondCiphertext.bytes);
  assert.ok(!firstCiphertext.bytes.includes('123456'));
});

test('the first key encrypts, every key decrypts; the error names a missing key', () => {
  const ciphertext = oldVault.encrypt('text', 'an owner');
  assert.equal(rotatedVault.decrypt(ciphertext, 'an owner'), 'text');
  assert.equal(rotatedVault.encrypt('text', 'an owner').version, 2);
  const newKeyVault = new Vault({ dataKeys: [secondKey], lookupKey });
  assert.throws(() => newKeyVault.decrypt(ciphertext, 'an owner'), MissingKeyError);
  assert.throws(() => newKeyVault.requireKey(1), /version 1/);
});

test('a ciphertext that was moved to another row, changed or truncated does not decrypt', () => {
  const ciphertext = oldVault.encrypt('12345678909', 'cpf of cus_1');
  assert.throws(() => oldVault.decrypt(ciphertext, 'cpf of cus_2'));
  for (let i = 0; i < ciphertext.bytes.length; i++) {
    const bytes = Buffer.from(ciphertext.bytes);
    bytes[i]! ^= 1; // changes one bit
    assert.throws(() => oldVault.decrypt({ ...ciphertext, bytes }, 'cpf of cus_1'));
  }
  // An incomplete nonce (12 bytes), only a nonce, an incomplete tag (16 bytes), and a text without its last byte.
  for (const length of [0, 11, 12, 27, ciphertext.bytes.length - 1]) {
    const bytes = ciphertext.bytes.subarray(0, length);
    assert.throws(() => oldVault.decrypt({ ...ciphertext, bytes }, 'cpf of cus_1'));
  }
});

test('keyed hashes are equal only for the same text, kind and key', () => {
  assert.deepEqual(oldVault.hash('cpf', '1'), rotatedVault.hash('cpf', '1'));
  assert.notDeepEqual(oldVault.hash('cpf', '1'), oldVault.hash('phone', '1'));
  assert.notDeepEqual(oldVault.hash('cpf', '1'), new Vault(SANDBOX_SECRETS).hash('cpf', '1'));
});

const createRandomBase64 = (byteCount: number) => randomBytes(byteCount).toString('base64');

test('DATA_KEYS is parsed strictly', () => {
  const keys = parseDataKeys(`2:${secondKey.key.toString('base64')}, 1:${firstKey.key.toString('base64')}`);
  assert.deepEqual(keys, [secondKey, firstKey]);
  for (const invalidValue of [
    '',
    createRandomBase64(32),
    `0:${createRandomBase64(32)}`,
    `1:${createRandomBase64(31)}`,
    `1:${createRandomBase64(33)}`,
    `1:${createRandomBase64(32)},`,
    `1:${createRandomBase64(32)},1:${createRandomBase64(32)}`,
    'x:y',
  ]) {
    assert.equal(parseDataKeys(invalidValue), undefined, invalidValue);
  }
});

const TESTED_SETTINGS = /^(DATA_KEYS|LOOKUP_KEY|SMS_SENDER|TWILIO_\w+|TRUST_PROXY) /;

/** Reads the errors of the settings that this file tests. */
const readErrors = (env: Record<string, string>): string[] => {
  try {
    readConfiguration(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigErrors);
    return error.errors.filter((error) => TESTED_SETTINGS.test(error));
  }
};
const liveEnv = {
  SEMANA_MODE: 'live',
  DATA_KEYS: `1:${createRandomBase64(32)}`,
  LOOKUP_KEY: createRandomBase64(32),
  SMS_SENDER: 'twilio',
  TWILIO_ACCOUNT_SID: 'AC1',
  TWILIO_AUTH_TOKEN: 'secret',
  TWILIO_FROM: '+15005550006',
};

test('the sandbox requires no keys; live mode reports all missing settings together', () => {
  assert.deepEqual(readErrors({}), []);
  assert.deepEqual(readErrors(liveEnv), []);
  const errors = readErrors({ SEMANA_MODE: 'live' });
  for (const name of ['DATA_KEYS', 'LOOKUP_KEY', 'SMS_SENDER']) {
    assert.ok(
      errors.some((error) => error.startsWith(`${name} `)),
      name,
    );
  }
  const withoutAccount = omit(liveEnv, 'TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM');
  assert.equal(readErrors(withoutAccount).length, 3, 'the three settings of the account are missing');
});

test('live mode rejects the keys of the sandbox, the inbox, and a gateway without https', () => {
  const publicKey = SANDBOX_SECRETS.dataKeys[0]!.key.toString('base64');
  assert.match(
    readErrors({ ...liveEnv, DATA_KEYS: `7:${publicKey}` }).join(),
    /is the public key of the sandbox/,
  );
  assert.match(readErrors({ ...liveEnv, LOOKUP_KEY: publicKey }).join(), /is the public key of the sandbox/);
  assert.match(readErrors({ ...liveEnv, SMS_SENDER: 'inbox' }).join(), /SMS_SENDER/);
  assert.match(readErrors({ ...liveEnv, TWILIO_URL: 'http://gateway.example' }).join(), /TWILIO_URL/);
});

test('an error message never repeats a secret', () => {
  const secret = 'c2VjcmV0LXNlY3JldA==';
  for (const env of [{ DATA_KEYS: `1:${secret}` }, { LOOKUP_KEY: secret }]) {
    const errors = readErrors(env);
    assert.equal(errors.length, 1);
    assert.ok(!errors[0]!.includes(secret));
  }
});

test('TRUST_PROXY accepts addresses and networks', () => {
  assert.equal(readConfiguration({}).config.trustProxy, false);
  assert.equal(readConfiguration({ TRUST_PROXY: '10.0.0.0/8,::1' }).config.trustProxy, '10.0.0.0/8,::1');
  assert.match(readErrors({ TRUST_PROXY: 'proxy.example' }).join(), /TRUST_PROXY/);
});
