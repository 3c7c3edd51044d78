import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigErrors, SettingsReader } from '#platform/settings.ts';
import { openService } from '../../test/harness.ts';
import { createLiveSettingsWithoutCertificate } from '../../test/live.ts';
import { BRUNO, openSessionFor } from '../../test/support/customers.ts';
import { creditSettings } from './settings.ts';

const service = await openService({
  env: { CREDITOR_NAME: 'Crédito da Serra Ltda.', CREDITOR_CNPJ: '00000000000191' },
});

test('GET /public/creditor and an offer name the creditor; the response can be cached, and any key may request it', async () => {
  const { status, body, headers } = await service.get('/public/creditor');
  assert.equal(status, 200);
  assert.equal(body.name, 'Crédito da Serra Ltda.');
  assert.equal(body.cnpj, '00.000.000/0001-91');
  assert.ok(body.address && body.email, 'the demo values of the sandbox');
  assert.match(headers.get('cache-control')!, /max-age/);
  const { secret: key } = await service.newKey({ scopes: ['wallet'] });
  assert.deepEqual((await service.get('/public/creditor', { key })).body, body, 'also with a wallet key');
  const token = (await openSessionFor(service, { ...BRUNO, password: 'unused' })).token;
  const [offer] = (await service.get('/wallet/offers', { token })).body.data;
  assert.deepEqual((await service.get(`/wallet/offers/${offer.id}`, { token })).body.creditor, body);
});

test('live mode does not start without a creditor, or with an invalid CNPJ', () => {
  const listErrors = (overrides: Record<string, string>) => {
    const reader = new SettingsReader({ ...createLiveSettingsWithoutCertificate(), ...overrides }, 'live');
    creditSettings.read(reader);
    return new ConfigErrors(reader.errors).errors;
  };
  assert.deepEqual(listErrors({}), []);
  for (const name of ['CREDITOR_NAME', 'CREDITOR_CNPJ', 'CREDITOR_ADDRESS', 'CREDITOR_EMAIL'])
    assert.deepEqual(listErrors({ [name]: '' }), [
      `${name} is missing; customers must be shown who the creditor is.`,
    ]);
  assert.match(listErrors({ CREDITOR_CNPJ: '11222333000182' })[0]!, /^CREDITOR_CNPJ is '11222333000182'; /);
  assert.match(listErrors({ CREDITOR_KIND: 'institution' })[0]!, /^CREDITOR_KIND is institution; .*IOF/);
  assert.match(listErrors({ CREDITOR_EMAIL: 'contato' })[0]!, /^CREDITOR_EMAIL is 'contato'; /);
});

test('the maximum rate in live mode defaults to 0.23 % per week, about 1 % per month', () => {
  const readMaxRate = (mode: 'live' | 'sandbox', overrides: Record<string, string> = {}) =>
    creditSettings.read(new SettingsReader({ ...createLiveSettingsWithoutCertificate(), ...overrides }, mode))
      .maxWeeklyRate;
  assert.deepEqual(
    [readMaxRate('live'), readMaxRate('sandbox'), readMaxRate('live', { MAX_WEEKLY_RATE: '2' })],
    [2_300, 50_000, 20_000], // in millionths: 0.23 %, 5 % and 2 %
  );
});
