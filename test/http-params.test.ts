import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openService } from './harness.ts';
import { openPixShop } from './pix-shop.ts';
import { OPERATOR_KEY } from './shop.ts';

const service = await openService();
const pixShop = openPixShop(service);
const token = await pixShop.createToken(await pixShop.newShopper());

const NOUGHT = '0'.repeat(26);
/** Addresses with a parameter, each with a well-formed value that does not exist. */
const ADDRESSES: Array<[api: 'call' | 'staff', method: string, url: string, unknown: string, body?: object]> =
  [
    ['call', 'GET', '/public/merchants/:slug', 'no-such-merchant'],
    ['call', 'GET', '/public/blog/:slug', 'no-such-post'],
    ['call', 'GET', '/errors/:code', 'no_such_code'],
    ['call', 'GET', '/wallet/checkouts/:hash', '0'.repeat(22)],
    ['call', 'GET', '/wallet/pix/:id', `pix_${NOUGHT}`],
    ['call', 'GET', '/wallet/installments/:id/pix', `ins_${NOUGHT}`],
    ['call', 'POST', '/wallet/installments/:id/pix', `ins_${NOUGHT}`, { type: 'settle' }],
    ['staff', 'GET', '/admin/checkouts/:hash', '0'.repeat(22)],
    ['staff', 'GET', '/admin/customers/:id', `cus_${NOUGHT}`],
    ['staff', 'POST', '/sandbox/pix/:txid/pay', NOUGHT],
    ['staff', 'POST', '/sandbox/pix/:txid/reverse', NOUGHT],
  ];
const IMPOSSIBLE = ['%00', 'no%20thing', '%27%3b--', 'N%C3%83O', '-', `ins_${NOUGHT}0`, 'a'.repeat(250)];

for (const [api, method, url, unknown, body] of ADDRESSES) {
  test(`${method} ${url}: an invalid id gets the same response as an unknown one`, async () => {
    const call = async (param: string) => {
      const key = api === 'staff' ? { key: OPERATOR_KEY } : { token };
      const path = url.replace(/:\w+/, param);
      const apiResponse = await service[api](method, path, { ...key, ...(body && { body }) });
      const { request_id: _, ...problem } = apiResponse.body;
      return problem;
    };
    const expected = await call(unknown);
    assert.deepEqual([expected.status, expected.code], [404, 'not_found']);
    for (const param of IMPOSSIBLE) assert.deepEqual(await call(param), expected, param);
  });
}
