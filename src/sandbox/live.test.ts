import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { HOUR_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { openService } from '../../test/harness.ts';
import { createLiveSettings } from '../../test/live.ts';
import { OPERATOR_KEY } from '../../test/purchase-driver.ts';

const directory = mkdtempSync(join(tmpdir(), 'semana-live-'));
after(() => rmSync(directory, { recursive: true, force: true }));
const liveSettings = createLiveSettings(directory);
const skip = liveSettings ? false : 'openssl, which creates the certificate, is not installed';

/** Opens the demo database, which has keys and customers, in live mode. `semana start` refuses to do that. */
const openLive = () =>
  openService({ env: { ...liveSettings, DATABASE_URL: 'postgres://named-only-to-satisfy-the-settings/' } });

test('live mode has no sandbox endpoints, and purchases cannot be dated more than a day back', {
  skip,
}, async () => {
  const service = await openLive();
  const endpoints = [...service.endpoints.partner, ...service.endpoints.staff];
  assert.ok(endpoints.every(({ url }) => !url.startsWith('/sandbox')));
  for (const method of ['GET', 'POST', 'DELETE']) {
    const options = { key: OPERATOR_KEY, ...(method === 'POST' && { body: { advance: 'P7D' } }) };
    assert.equal((await service.staff(method, '/sandbox/clock', options)).status, 404, method);
    assert.equal((await service.call(method, '/sandbox/clock', options)).status, 404, method);
  }
  assert.equal((await service.staff('POST', '/sandbox/reset', { key: OPERATOR_KEY })).status, 404);
  const body = {
    customer: (await service.db.row<{ id: string }>(sql`select id from customers order by id desc limit 1`))!
      .id,
    merchant: 'otica-lume',
    amount: 10,
    installments: 1,
    purchased_at: new Date(service.clock.now().getTime() - 25 * HOUR_MS).toISOString(),
  };
  const response = await service.staff('POST', '/admin/checkouts', { key: OPERATOR_KEY, body });
  assert.deepEqual(
    [response.status, response.body.errors],
    [400, [{ pointer: '/purchased_at', message: 'must not be more than 24 hours ago' }]],
  );
});
