import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { type ApiResponse, DEMO_KEY, type Node, openService } from '../../test/harness.ts';

const service = await openService();
const otherNode = await service.startNode();

const getCategories = (node: Node, secret: string) => node.get('/public/categories', { key: secret });
const countGranted = (responses: ApiResponse[]) => responses.filter(({ status }) => status === 200).length;

const newLimitedKey = (requestsPerMinute: number) =>
  service.newKey({ requests_per_minute: requestsPerMinute, allowed_origins: ['https://shop.example'] });

/** Repeats the work if a new minute began meanwhile, by the clock of the database. The work must create its own key. */
async function withinOneMinute<T>(work: () => Promise<T>): Promise<T> {
  const readMinute = async () =>
    (await service.db.row<{ minute: string }>(
      sql`select date_trunc('minute', clock_timestamp())::text as minute`,
    ))!.minute;
  for (;;) {
    const minuteBefore = await readMinute();
    const workResult = await work();
    if ((await readMinute()) === minuteBefore) return workResult;
  }
}

test('a key may send exactly its limit; then 429 with Retry-After until the minute ends', async () => {
  const LIMIT = 5;
  const responses = await withinOneMinute(async () => {
    const { secret } = await newLimitedKey(LIMIT);
    const allResponses: ApiResponse[] = [];
    for (let i = 0; i < 8; i++) allResponses.push(await getCategories(service, secret));
    return allResponses;
  });
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200, 200, 200, 200, 429, 429, 429],
  );
  const expectedRemainingRequests = [4, 3, 2, 1, 0, 0, 0, 0];
  responses.forEach(({ headers }, i) => {
    assert.equal(headers.get('ratelimit-policy'), `"minute";q=${LIMIT};w=60`);
    const [, remainingRequests, seconds] = /^"minute";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit')!)!;
    assert.equal(Number(remainingRequests), expectedRemainingRequests[i]);
    assert.ok(Number(seconds) >= 1 && Number(seconds) <= 60);
    assert.equal(headers.get('retry-after'), i < LIMIT ? null : seconds);
  });
  const refusedResponse = responses.at(-1)!;
  assert.equal(refusedResponse.body.code, 'rate_limited');
  assert.match(refusedResponse.headers.get('content-type')!, /^application\/problem\+json/);
});

for (const limit of [5, 200]) {
  test(`two nodes together grant exactly a limit of ${limit}`, async () => {
    const responses = await withinOneMinute(async () => {
      const { secret } = await newLimitedKey(limit);
      const requests = Array.from({ length: limit * 2 + 40 }, (_, i) =>
        getCategories(i % 2 ? service : otherNode, secret),
      );
      return Promise.all(requests);
    });
    assert.equal(countGranted(responses), limit);
    assert.ok(responses.every(({ status }) => status === 200 || status === 429));
  });
}

test('a key with a limit of one request per minute gets one', async () => {
  const responses = await withinOneMinute(async () => {
    const { secret } = await newLimitedKey(1);
    return Promise.all([service, otherNode, service, otherNode].map((node) => getCategories(node, secret)));
  });
  assert.equal(countGranted(responses), 1);
});

test('every request counts, including 304, 400 and 404 responses', async () => {
  const responses = await withinOneMinute(async () => {
    const { secret: key } = await newLimitedKey(3);
    return [
      await service.get('/public/categories', { key, headers: { 'if-none-match': '*' } }),
      await service.get('/public/merchants?page=0', { key }),
      await service.get('/public/merchants/none', { key }),
      await service.get('/public/categories', { key }),
    ];
  });
  assert.deepEqual(
    responses.map(({ status }) => status),
    [304, 400, 404, 429],
  );
  for (const { headers } of responses) assert.ok(headers.get('ratelimit'));
});

test('a request from a page whose origin may not use the key is refused without being counted', async () => {
  const responses = await withinOneMinute(async () => {
    const { secret: key } = await newLimitedKey(1);
    const headers = { origin: 'https://elsewhere.example' };
    return [await service.get('/public/categories', { key, headers }), await getCategories(service, key)];
  });
  assert.deepEqual(
    responses.map(({ status }) => status),
    [403, 200],
  );
});

test('a key that has used up its limit does not limit another key', async () => {
  const responses = await withinOneMinute(async () => {
    const [firstKey, secondKey] = [await newLimitedKey(1), await newLimitedKey(1)];
    return [
      await getCategories(service, firstKey.secret),
      await getCategories(service, secondKey.secret),
      await getCategories(service, firstKey.secret),
    ];
  });
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200, 429],
  );
});

test('an exhausted limit is available again in the next minute, on every node', async () => {
  const responses = await withinOneMinute(async () => {
    const { id, secret } = await newLimitedKey(2);
    const exhaustingResponses = [
      await getCategories(service, secret),
      await getCategories(service, secret),
      await getCategories(service, secret),
    ];
    await service.db.run(
      sql`update rate_windows set window_start = window_start - interval '1 minute' where key_id = ${id}`,
    );
    return [...exhaustingResponses, await getCategories(otherNode, secret)];
  });
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200, 429, 200],
  );
});

test('a request that waited past the end of a minute counts in the new minute and does not reset it', async () => {
  const { id, secret } = await newLimitedKey(2);
  // Simulates another node that is already in the next minute and has exhausted the limit.
  await service.db.run(sql`
    insert into rate_windows (key_id, window_start, used)
    values (${id}, date_trunc('minute', clock_timestamp()) + interval '1 minute', 2)`);
  const lateResponse = await getCategories(otherNode, secret);
  assert.equal(lateResponse.status, 429);
  assert.ok(Number(lateResponse.headers.get('retry-after')) >= 1);
});

test('the demo key has no limit and no rate limit headers', async () => {
  const requests = Array.from({ length: 300 }, () => getCategories(service, DEMO_KEY));
  const responses = await Promise.all(requests);
  assert.equal(countGranted(responses), requests.length);
  for (const { headers } of responses) {
    assert.equal(headers.get('ratelimit'), null);
    assert.equal(headers.get('ratelimit-policy'), null);
  }
});
