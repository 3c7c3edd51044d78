import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { DatabaseAway } from '../database/db.ts';
import { openLog } from '../observability/log.ts';
import { openMetrics } from '../observability/metrics.ts';
import { DatabaseHealth } from './database-health.ts';

test('writes count as possible again two seconds after the last refusal; a lost connection says nothing of them', () => {
  let nowMs = 1_000;
  const time = mock.method(performance, 'now', () => nowMs);
  const health = new DatabaseHealth({
    log: openLog('error', { write: () => undefined }),
    metrics: openMetrics(),
  });
  for (const reason of ['lost', '57014', '08006']) {
    health.note(new DatabaseAway('', { reason }));
    assert.equal(health.isWritable(), true, reason);
  }
  for (const reason of ['53100', '58030', '25006']) {
    health.note(new DatabaseAway('', { reason }));
    assert.equal(health.isWritable(), false, reason);
    nowMs += 1_999;
    assert.equal(health.isWritable(), false, reason);
    nowMs += 1;
    assert.equal(health.isWritable(), true, reason);
  }
  time.mock.restore();
});
