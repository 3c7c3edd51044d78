import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { test } from 'node:test';
import fc from 'fast-check';
import { shareService } from './harness.ts';
import { assertProblem, assertStandardHeaders, DEMO_KEY_HEADER, sendRequest } from './wire.ts';

const service = await shareService();
const RUNS = 150;

const methods = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('GET', 'POST', 'HEAD') },
  { weight: 1, arbitrary: fc.constantFrom(...METHODS.filter((method) => method !== 'CONNECT')) },
);
/** Any text in a URL, encoded or raw. */
const urlTexts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.string({ unit: fc.constantFrom(...'%?&=+;/.,:@!$()*[]~#-_aZ09'), maxLength: 20 }),
  fc.constantFrom('farmacia', '1', '0', '-1', '%00', '%', '..', 'limit', 'page', '1e9', '__proto__'),
);
const paths = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...service.endpoints.partner.map((spec) => spec.url as string)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('/public/', '/media/', '/errors/', '/docs/', '/'), urlTexts)
      .map((parts) => parts.join('')),
  },
);
const filledPaths = fc.tuple(paths, urlTexts).map(([path, text]) => path.replace(/:\w+/g, () => text));
const parameterNames = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('q', 'category', 'page', 'limit', 'topic') },
  { weight: 1, arbitrary: urlTexts },
);
const queries = fc
  .array(fc.tuple(parameterNames, urlTexts), { maxLength: 5 })
  .map((pairs) => pairs.map((pair) => pair.join('=')).join('&'));

const leadValue = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom('partner', 'Ana', 'ana@example.com', '+5511987654321'),
  fc.jsonValue({ maxDepth: 2 }),
);
const bodies = fc.oneof(
  fc
    .dictionary(fc.constantFrom('kind', 'name', 'email', 'phone', 'company', 'message', 'extra'), leadValue)
    .map((lead) => JSON.stringify(lead)),
  fc.json({ maxDepth: 4 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
);
const headerText = fc.string({
  unit: fc.constantFrom(...' !"#$%&(),/:;<=>?@[]{}~\t\xe9\xffabcXYZ019*W'),
  maxLength: 60,
});
const headers = fc.record(
  {
    'content-type': fc.oneof(fc.constant('application/json'), headerText),
    'if-none-match': headerText,
    'idempotency-key': headerText,
    'x-request-id': headerText,
    origin: headerText,
    'x-api-key': headerText,
    'access-control-request-method': headerText,
  },
  { requiredKeys: ['content-type'] },
);

test('for any request the status is below 500, the response has all standard headers, and an error is a problem', async () => {
  await fc.assert(
    fc.asyncProperty(
      methods,
      filledPaths,
      queries,
      headers,
      bodies,
      async (method, path, query, sentHeaders, body) => {
        const target = query ? `${path}?${query}` : path;
        // An invalid key is refused before anything else is checked, so only the few keys with an '@' are sent.
        const keepsInvalidKey = sentHeaders['x-api-key']?.includes('@') ?? false;
        const response = await sendRequest(service.partnerUrl, method, target.replaceAll('#', '%23') || '/', {
          headers: { ...sentHeaders, ...(!keepsInvalidKey && DEMO_KEY_HEADER) },
          ...(method !== 'HEAD' && method !== 'TRACE' && { body }),
        });
        assert.ok(response.status < 500, `${method} ${target}: ${response.status} ${response.text}`);
        const id = sentHeaders['x-request-id']?.trim() ?? '';
        assertStandardHeaders(response, /^[\w.:-]{1,128}$/.test(id) ? id : undefined);
        if (response.status >= 400 && method !== 'HEAD')
          assertProblem(response, response.status, JSON.parse(response.text).code);
        if (
          response.status === 200 &&
          /^application\/json/.test(response.headers['content-type'] ?? '') &&
          method === 'GET'
        ) {
          JSON.parse(response.text);
        }
      },
    ),
    { numRuns: RUNS },
  );
});
