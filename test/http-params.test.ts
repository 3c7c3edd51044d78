import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareService } from './harness.ts';
import { createPixDriver } from './pix-driver.ts';
import { OPERATOR_KEY } from './purchase-driver.ts';

const service = await shareService();
const pixDriver = createPixDriver(service);
const token = await pixDriver.createToken(await pixDriver.createCustomer());

const ZEROS = '0'.repeat(26);
/** URLs with a parameter, each with the well-formed id of a resource that does not exist. `send` is the method of the service. */
const ENDPOINTS: Array<
  [send: 'call' | 'staff', method: string, url: string, unknownId: string, body?: object]
> = [
  ['call', 'GET', '/public/merchants/:slug', 'no-such-merchant'],
  ['call', 'GET', '/public/blog/:slug', 'no-such-post'],
  ['call', 'GET', '/errors/:code', 'no_such_code'],
  ['call', 'GET', '/wallet/checkouts/:hash', '0'.repeat(22)],
  ['call', 'GET', '/wallet/pix/:id', `pix_${ZEROS}`],
  ['call', 'GET', '/wallet/installments/:id/pix', `ins_${ZEROS}`],
  ['call', 'POST', '/wallet/installments/:id/pix', `ins_${ZEROS}`, { type: 'settle' }],
  ['staff', 'GET', '/admin/checkouts/:hash', '0'.repeat(22)],
  ['staff', 'GET', '/admin/customers/:id', `cus_${ZEROS}`],
  ['staff', 'POST', '/sandbox/pix/:txid/pay', ZEROS],
  ['staff', 'POST', '/sandbox/pix/:txid/reverse', ZEROS],
];
const INVALID_IDS = ['%00', 'no%20thing', '%27%3b--', 'N%C3%83O', '-', `ins_${ZEROS}0`, 'a'.repeat(250)];

for (const [send, method, url, unknownId, body] of ENDPOINTS) {
  test(`${method} ${url}: an invalid id gets the same response as an unknown one`, async () => {
    const requestProblem = async (param: string) => {
      const credentials = send === 'staff' ? { key: OPERATOR_KEY } : { token };
      const path = url.replace(/:\w+/, param);
      const response = await service[send](method, path, { ...credentials, ...(body && { body }) });
      const { request_id: _, ...problem } = response.body;
      return problem;
    };
    const expectedProblem = await requestProblem(unknownId);
    assert.deepEqual([expectedProblem.status, expectedProblem.code], [404, 'not_found']);
    for (const param of INVALID_IDS) assert.deepEqual(await requestProblem(param), expectedProblem, param);
  });
}
