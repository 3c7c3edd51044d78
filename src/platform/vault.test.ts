import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { readConfiguration } from '../modules.ts';
import { ConfigFaults } from './settings.ts';
import { KeyGone, readDataKeys, SANDBOX_SECRETS, Vault } from './vault.ts';

const key = (version: number) => ({ version, key: randomBytes(32) });
const lookupKey = randomBytes(32);
const [first, second] = [key(1), key(2)];
const old = new Vault({ dataKeys: [first], lookupKey });
const both = new Vault({ dataKeys: [second, first], lookupKey });

test('what is sealed opens again, looks different every time, and holds nothing of the text', () => {
  const [one, other] = [old.seal('12345678909', 'somebody'), old.seal('12345678909', 'somebody')];
  assert.equal(old.open(one, 'somebody'), '12345678909');
  assert.notDeepEqual(one.bytes, other.bytes);
  assert.ok(!one.bytes.includes('123456'));
});

test('the first key seals, every key opens; a key that is gone is named', () => {
  const sealed = old.seal('text', 'x');
  assert.equal(both.open(sealed, 'x'), 'text');
  assert.equal(both.seal('text', 'x').version, 2);
  const later = new Vault({ dataKeys: [second], lookupKey });
  assert.throws(() => later.open(sealed, 'x'), KeyGone);
  assert.throws(() => later.mustHold(1), /version 1/);
});

test('sealed text that was moved to another row, changed or cut does not open', () => {
  const sealed = old.seal('12345678909', 'cpf of cus_1');
  assert.throws(() => old.open(sealed, 'cpf of cus_2'));
  for (let at = 0; at < sealed.bytes.length; at++) {
    const bytes = Buffer.from(sealed.bytes);
    bytes[at]! ^= 1;
    assert.throws(() => old.open({ ...sealed, bytes }, 'cpf of cus_1'));
  }
  for (const length of [0, 11, 12, 27, sealed.bytes.length - 1]) {
    const bytes = sealed.bytes.subarray(0, length);
    assert.throws(() => old.open({ ...sealed, bytes }, 'cpf of cus_1'));
  }
});

test('keyed hashes agree for the same text, and for nothing else: other kind, other key', () => {
  assert.deepEqual(old.hash('cpf', '1'), both.hash('cpf', '1'));
  assert.notDeepEqual(old.hash('cpf', '1'), old.hash('phone', '1'));
  assert.notDeepEqual(old.hash('cpf', '1'), new Vault(SANDBOX_SECRETS).hash('cpf', '1'));
});

const encoded = (bytes: number) => randomBytes(bytes).toString('base64');

test('DATA_KEYS is read strictly', () => {
  const keys = readDataKeys(`2:${second.key.toString('base64')}, 1:${first.key.toString('base64')}`);
  assert.deepEqual(keys, [second, first]);
  for (const wrong of [
    '',
    encoded(32),
    `0:${encoded(32)}`,
    `1:${encoded(31)}`,
    `1:${encoded(33)}`,
    `1:${encoded(32)},`,
    `1:${encoded(32)},1:${encoded(32)}`,
    'x:y',
  ]) {
    assert.equal(readDataKeys(wrong), undefined, wrong);
  }
});

const OURS = /^(DATA_KEYS|LOOKUP_KEY|SMS_SENDER|TWILIO_\w+|TRUST_PROXY) /;

/** What is wrong with the settings this file is about. */
const faultsOf = (env: Record<string, string>): string[] => {
  try {
    readConfiguration(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigFaults);
    return error.faults.filter((fault) => OURS.test(fault));
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

test('the sandbox needs none of it; live names everything that is missing, all at once', () => {
  assert.deepEqual(faultsOf({}), []);
  assert.deepEqual(faultsOf(live), []);
  const missing = faultsOf({ SEMANA_MODE: 'live' }).map((fault) => fault.split(' ')[0]);
  for (const name of ['DATA_KEYS', 'LOOKUP_KEY', 'SMS_SENDER']) {
    assert.ok(missing.includes(name), name);
  }
  const { TWILIO_ACCOUNT_SID: _, TWILIO_AUTH_TOKEN: __, TWILIO_FROM: ___, ...withoutAccount } = live;
  assert.equal(faultsOf(withoutAccount).length, 3);
});

test('live refuses the keys of the sandbox, the inbox, and a gateway that is not https', () => {
  const known = SANDBOX_SECRETS.dataKeys[0]!.key.toString('base64');
  assert.match(faultsOf({ ...live, DATA_KEYS: `7:${known}` })[0]!, /which everybody knows/);
  assert.match(faultsOf({ ...live, LOOKUP_KEY: known })[0]!, /which everybody knows/);
  assert.match(faultsOf({ ...live, SMS_SENDER: 'inbox' })[0]!, /SMS_SENDER/);
  assert.match(faultsOf({ ...live, TWILIO_URL: 'http://gateway.example' })[0]!, /TWILIO_URL/);
});

test('a fault never repeats a secret', () => {
  const secret = 'c2VjcmV0LXNlY3JldA==';
  for (const env of [{ DATA_KEYS: `1:${secret}` }, { LOOKUP_KEY: secret }]) {
    const faults = faultsOf(env);
    assert.equal(faults.length, 1);
    assert.ok(!faults[0]!.includes(secret));
  }
});

test('TRUST_PROXY takes addresses and networks', () => {
  assert.equal(readConfiguration({}).config.trustProxy, false);
  assert.equal(readConfiguration({ TRUST_PROXY: '10.0.0.0/8,::1' }).config.trustProxy, '10.0.0.0/8,::1');
  assert.match(faultsOf({ TRUST_PROXY: 'proxy.example' })[0]!, /TRUST_PROXY/);
});
