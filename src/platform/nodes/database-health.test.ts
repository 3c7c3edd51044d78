import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { DatabaseUnavailable } from '../database/db.ts';
import { createLog } from '../observability/log.ts';
import { createMetrics } from '../observability/metrics.ts';
import { DatabaseHealth } from './database-health.ts';

test('the database counts as writable two seconds after the last refused write; a lost connection does not matter', () => {
  let nowMs = 1_000;
  const time = mock.method(performance, 'now', () => nowMs);
  const health = new DatabaseHealth({
    log: createLog('error', { write: () => undefined }),
    metrics: createMetrics(),
  });
  const failuresOfAnyStatement = ['lost', '57014', '08006']; // canceled, connection failure
  for (const reason of failuresOfAnyStatement) {
    health.recordFailure(new DatabaseUnavailable('', { reason }));
    assert.equal(health.isWritable(), true, reason);
  }
  const refusedWrites = ['53100', '58030', '25006']; // disk full, I/O error, read-only
  for (const reason of refusedWrites) {
    health.recordFailure(new DatabaseUnavailable('', { reason }));
    assert.equal(health.isWritable(), false, reason);
    nowMs += 1_999;
    assert.equal(health.isWritable(), false, reason);
    nowMs += 1;
    assert.equal(health.isWritable(), true, reason);
  }
  time.mock.restore();
});
