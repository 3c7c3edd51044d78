import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openService } from '../../test/harness.ts';
import { createPixDriver } from '../../test/pix-driver.ts';
import { assertRefused, createOtherPartnerKey, newPhone } from '../../test/support/customers.ts';

const service = await openService();
service.clock.set('2026-11-23T15:00:00Z');
const pixDriver = createPixDriver(service);
// Requests without a key are sent with the key of the demo partner.
const otherPartnerKey = await createOtherPartnerKey(service);

test('a partner pays PIX codes of its own customers at the partner API, and of no others', async () => {
  const customer = await pixDriver.createCustomer();
  const checkout = await pixDriver.sell(customer);
  const charge = await pixDriver.createCharge(customer, checkout.installments[0].id, 'settle');
  const pay = (options?: { key: string }) => service.post(`/sandbox/pix/${charge.txid}/pay`, {}, options);
  assertRefused(await pay({ key: otherPartnerKey }), 404, 'not_found');
  const payResponse = await pay();
  assert.deepEqual(
    [payResponse.status, payResponse.body.txid, payResponse.body.value],
    [201, charge.txid, charge.value],
  );
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  assertRefused(await service.post('/sandbox/pix/unknown/pay', {}), 404, 'not_found');
});

test('a partner reads messages to its own customers, and the login codes that it requested itself', async () => {
  const phone = newPhone();
  const readCodes = async (key?: string) => {
    const response = await service.get(`/sandbox/messages?phone=${encodeURIComponent(phone)}`, {
      ...(key && { key }),
    });
    assert.equal(response.status, 200, response.text);
    return response.body.data.map(({ code }: { code: string }) => code);
  };
  await service.post('/wallet/auth/otp', { phone });
  const codes = await readCodes();
  assert.equal(codes.length, 1);
  assert.deepEqual(await readCodes(otherPartnerKey), []);
  // Only one code a minute is sent to a phone.
  service.clock.advance(61_000);
  await service.post('/wallet/auth/otp', { phone }, { key: otherPartnerKey });
  const [otherPartnerCode] = await readCodes(otherPartnerKey);
  assert.deepEqual(await readCodes(), codes, 'not the code of the other partner');
  assert.notEqual(otherPartnerCode, undefined);

  const customer = await pixDriver.createCustomer();
  const otpResponse = await service.post('/wallet/auth/otp', { phone: customer.phone });
  assert.equal(otpResponse.status, 202, otpResponse.text);
  // A session makes the person a customer of the partner.
  await pixDriver.createToken(customer);
  const listResponse = await service.get('/sandbox/messages');
  const phones = new Set(listResponse.body.data.map((message: { phone: string }) => message.phone));
  assert.ok(phones.has(customer.phone) && !phones.has(phone));
  assert.deepEqual((await service.get('/sandbox/messages', { key: otherPartnerKey })).body.data, []);
});
