import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { openService } from '../../test/harness.ts';
import { liveSettings } from '../../test/live.ts';
import { OPERATOR_KEY } from '../../test/shop.ts';

const directory = mkdtempSync(join(tmpdir(), 'semana-live-'));
after(() => rmSync(directory, { recursive: true, force: true }));
const live = liveSettings(directory);
const skip = live ? false : 'openssl is not installed, and the certificate is made with it';

/** The demo database served in live mode, which the start would refuse: only so that there are keys and customers. */
const openLive = () =>
  openService({ env: { ...live, DATABASE_URL: 'postgres://named-only-to-satisfy-the-settings/' } });

test('in live mode there are no sandbox tools, and no purchase is dated further back than a day', {
  skip,
}, async () => {
  const service = await openLive();
  assert.ok(service.endpoints.staff.every(({ url }) => !url.startsWith('/sandbox')));
  for (const method of ['GET', 'POST', 'DELETE']) {
    const body = method === 'POST' ? { body: { advance: 'P7D' } } : {};
    const options = { key: OPERATOR_KEY, ...body };
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
    purchased_at: new Date(service.clock.now().getTime() - 25 * 3_600_000).toISOString(),
  };
  const answer = await service.staff('POST', '/admin/checkouts', { key: OPERATOR_KEY, body });
  assert.deepEqual(
    [answer.status, answer.body.errors],
    [400, [{ pointer: '/purchased_at', message: 'must not be more than 24 hours ago' }]],
  );
});
