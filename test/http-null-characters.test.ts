import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Endpoint } from '#platform/http/endpoint.ts';
import { shareService } from './harness.ts';
import { createPixDriver } from './pix-driver.ts';

const service = await shareService();
const pixDriver = createPixDriver(service);
const customer = await pixDriver.createCustomer();
const token = await pixDriver.createToken(customer);

/** PostgreSQL refuses null characters in texts, also in those of a search. */
const ENCODED_NULL = '%00';

const listUrlsWithNull = ({ url, query }: Endpoint): string[] => {
  const parameters = Object.keys((query as { properties?: object } | undefined)?.properties ?? {});
  const pathsWithNull = url.includes(':') ? [url.replace(/:\w+/g, ENCODED_NULL)] : [];
  return [
    ...pathsWithNull,
    ...parameters.map((name) => `${url.replace(/:\w+/g, 'x')}?${name}=${ENCODED_NULL}`),
  ];
};

for (const api of ['partner', 'staff'] as const) {
  test(`no null character in a URL of the ${api} API causes a 500`, async () => {
    for (const endpoint of service.endpoints[api]) {
      for (const url of listUrlsWithNull(endpoint)) {
        const { method } = endpoint;
        const options = { token, ...(method !== 'GET' && method !== 'DELETE' && { body: {} }) };
        const response =
          api === 'partner'
            ? await service.call(method, url, options)
            : await service.staff(method, url, { ...options, key: 'sandbox-operator-key' });
        assert.ok(response.status < 500, `${method} ${url}: ${response.status} ${response.text}`);
      }
    }
  });
}

test('400 for an invalid phone in the search of messages', async () => {
  const response = await pixDriver.callStaff('GET', '/sandbox/messages?phone=%00');
  assert.deepEqual([response.status, response.body.code], [400, 'validation_failed']);
});
