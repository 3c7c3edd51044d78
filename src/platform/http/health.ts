import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { type Db, sql } from '../database/db.ts';
import type { ChangeFeed } from '../nodes/change-feed.ts';
import type { DatabaseHealth } from '../nodes/database-health.ts';
import { createMetricsGatherer } from '../nodes/gather-metrics.ts';
import type { Metrics } from '../observability/metrics.ts';
import { unavailable } from '../problem.ts';
import { getCurrentRelease } from '../release.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { BooleanField } from './schemas.ts';

const HealthResponse = Type.Object({
  status: Type.Literal('ok'),
  version: Type.String({ description: 'The release.' }),
  commit: Type.Union([Type.String(), Type.Null()], {
    description: 'The commit it was built from, if known.',
  }),
});

/** Checks only that the process is alive: an unavailable database is no reason to restart the process. */
export function createHealthEndpoint(): Endpoint {
  return endpoint('GET /healthz', {
    access: 'open',
    id: 'health',
    undocumented: true,
    summary: 'Check liveness',
    responses: { 200: { description: 'The process is alive.', schema: HealthResponse } },
    handler: (_request, reply) =>
      reply.header('cache-control', 'no-store').send({ status: 'ok', ...getCurrentRelease() }),
  });
}

const ReadyResponse = Type.Object({
  status: Type.Literal('ready'),
  writable: BooleanField(
    'False while the database refuses writes, for example because its disk is full. Writes then get 503, reads still work.',
  ),
  checks: Type.Record(Type.String(), Type.Boolean()),
});

/** The time limit of the database query of /readyz. */
const PROBE_TIMEOUT_MS = 2_000;

/** Responds within two seconds. A node stays ready while the database is read-only: otherwise a full disk would take all nodes out of service. */
export function createReadyEndpoint(deps: {
  db: Db;
  databaseHealth: DatabaseHealth;
  changeFeed: ChangeFeed;
  areModulesReady: () => boolean;
  isDraining: () => boolean;
}): Endpoint {
  const { db, databaseHealth, changeFeed, areModulesReady, isDraining } = deps;
  return endpoint('GET /readyz', {
    access: 'open',
    id: 'ready',
    undocumented: true,
    summary: 'Check readiness',
    responses: { 200: { description: 'Requests can be served.', schema: ReadyResponse } },
    async handler(_request, reply) {
      const isDatabaseReadable = await isReadable(db, () => databaseHealth.markReadOnly());
      const checks = {
        accepting: !isDraining(),
        database: isDatabaseReadable,
        change_feed: changeFeed.isUpToDate(),
        catalog: areModulesReady(), // whether all modules are ready, despite the name
      };
      reply.header('cache-control', 'no-store');
      if (Object.values(checks).every(Boolean))
        return reply.send({ status: 'ready', writable: databaseHealth.isWritable(), checks });
      throw unavailable({
        en: 'The service is not ready.',
        pt: 'O serviço ainda não está pronto.',
        members: { checks },
        headers: { 'retry-after': '1' },
      });
    },
  });
}

/** Whether the database responds to a query in time. Calls `onReadOnly` if it would refuse writes. */
async function isReadable(db: Db, onReadOnly: () => void): Promise<boolean> {
  const probe = db
    .row<{ read_only: boolean }>(sql`select current_setting('transaction_read_only') = 'on' as read_only`)
    .then(
      (row) => {
        if (row!.read_only) onReadOnly();
        return true;
      },
      () => false, // the error is recorded where it occurred
    );
  return Promise.race([probe, sleep(PROBE_TIMEOUT_MS, false, { ref: false })]);
}

export function createMetricsEndpoint(
  metrics: Metrics,
  { changeFeed, databaseHealth }: { changeFeed: ChangeFeed; databaseHealth: DatabaseHealth },
): Endpoint {
  const gatherMetrics = createMetricsGatherer(metrics.registry, () => {
    metrics.cachesTrusted.set(changeFeed.isUpToDate() ? 1 : 0);
    metrics.databaseWritable.set(databaseHealth.isWritable() ? 1 : 0);
  });
  return endpoint('GET /metrics', {
    access: 'open',
    id: 'metrics',
    undocumented: true,
    summary: 'Get metrics in the Prometheus text format',
    responses: { 200: { description: 'The metrics.', contentType: 'text/plain' } },
    async handler(_request, reply) {
      return reply.type(metrics.registry.contentType).send(await gatherMetrics());
    },
  });
}
