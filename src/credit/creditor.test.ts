import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigFaults, SettingsReader } from '#platform/settings.ts';
import { openService } from '../../test/harness.ts';
import { uncertifiedSettings } from '../../test/live.ts';
import { creditSettings } from './settings.ts';

const service = await openService({
  env: { CREDITOR_NAME: 'Crédito da Serra Ltda.', CREDITOR_CNPJ: '00000000000191' },
});

test('whose credit it is can be read with a public key, and kept', async () => {
  const { status, body, headers } = await service.get('/public/creditor');
  assert.equal(status, 200);
  assert.equal(body.name, 'Crédito da Serra Ltda.');
  assert.equal(body.cnpj, '00.000.000/0001-91');
  assert.ok(body.address && body.email, 'the demo values of the sandbox');
  assert.match(headers.get('cache-control')!, /max-age/);
});

test('live mode does not start without saying whose credit it is, nor with a CNPJ that is none', () => {
  const faultsOf = (more: Record<string, string>) => {
    const reader = new SettingsReader({ ...uncertifiedSettings(), ...more }, 'live');
    creditSettings.read(reader);
    return new ConfigFaults(reader.faults).faults;
  };
  assert.deepEqual(faultsOf({}), []);
  for (const name of ['CREDITOR_NAME', 'CREDITOR_CNPJ', 'CREDITOR_ADDRESS', 'CREDITOR_EMAIL'])
    assert.deepEqual(faultsOf({ [name]: '' }), [
      `${name} is missing; customers must be told whose credit it is.`,
    ]);
  assert.match(faultsOf({ CREDITOR_CNPJ: '11222333000182' })[0]!, /^CREDITOR_CNPJ is '11222333000182'; /);
  assert.match(faultsOf({ CREDITOR_KIND: 'institution' })[0]!, /^CREDITOR_KIND is institution; .*IOF/);
  assert.match(faultsOf({ CREDITOR_EMAIL: 'contato' })[0]!, /^CREDITOR_EMAIL is 'contato'; /);
});

test('in live the merchant’s own credit bears at most 1 % a month unless it is set otherwise: 0.23 % a week', () => {
  const read = (mode: 'live' | 'sandbox', more: Record<string, string> = {}) =>
    creditSettings.read(new SettingsReader({ ...uncertifiedSettings(), ...more }, mode)).maxWeeklyRate;
  assert.deepEqual(
    [read('live'), read('sandbox'), read('live', { MAX_WEEKLY_RATE: '2' })],
    [2_300, 50_000, 20_000],
  );
});
