import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { type Db, sql } from '../database/db.ts';
import type { ChangeFeed } from '../nodes/change-feed.ts';
import type { DatabaseHealth } from '../nodes/database-health.ts';
import { openGatherer } from '../nodes/gather-metrics.ts';
import type { Metrics } from '../observability/metrics.ts';
import { unavailable } from '../problem.ts';
import { thisRelease } from '../release.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

const Health = Type.Object({
  status: Type.Literal('ok'),
  version: Type.String({ description: 'The release.' }),
  commit: Type.Union([Type.String(), Type.Null()], {
    description: 'What it was built from, where that is known.',
  }),
});

/** Liveness of the process. Depends on nothing else: an unavailable database is no reason to restart. */
export function healthEndpoint(): Endpoint {
  return endpoint('GET /healthz', {
    access: 'open',
    id: 'health',
    undocumented: true,
    summary: 'Whether the process lives',
    answers: { 200: { description: 'It does.', schema: Health } },
    handler: (_request, reply) =>
      reply.header('cache-control', 'no-store').send({ status: 'ok', ...thisRelease() }),
  });
}

const Ready = Type.Object({
  status: Type.Literal('ready'),
  writable: Type.Boolean({
    description:
      'false while the database takes no writes, as when its disk is full. They get 503, reads are answered.',
  }),
  checks: Type.Record(Type.String(), Type.Boolean()),
});

/** Longer than a load balancer usually waits. */
const PROBE_MS = 2_000;

/**
 * Whether requests can be served now: for load balancers. Answers within two seconds, whatever the database does. To serve reads is
 * enough: a disk that is full is so for every node, and none would be left.
 */
export function readyEndpoint(parts: {
  db: Db;
  databaseHealth: DatabaseHealth;
  changeFeed: ChangeFeed;
  loaded: () => boolean;
  isDraining: () => boolean;
}): Endpoint {
  const { db, databaseHealth, changeFeed, loaded, isDraining } = parts;
  return endpoint('GET /readyz', {
    access: 'open',
    id: 'ready',
    undocumented: true,
    summary: 'Whether requests can be served now',
    answers: { 200: { description: 'They can.', schema: Ready } },
    async handler(_request, reply) {
      const database = await isReadable(db, () => databaseHealth.noteRefusal());
      const checks = {
        accepting: !isDraining(),
        database,
        change_feed: changeFeed.trusted(),
        catalog: loaded(),
      };
      reply.header('cache-control', 'no-store');
      if (Object.values(checks).every(Boolean))
        return reply.send({ status: 'ready', writable: databaseHealth.isWritable(), checks });
      throw unavailable({
        en: 'Not ready to serve.',
        pt: 'O serviço ainda não está pronto.',
        members: { checks },
        headers: { 'retry-after': '1' },
      });
    },
  });
}

async function isReadable(db: Db, onReadOnly: () => void): Promise<boolean> {
  const asked = db
    .row<{ read_only: boolean }>(sql`select current_setting('transaction_read_only') = 'on' as read_only`)
    .then(
      (row) => {
        if (row!.read_only) onReadOnly();
        return true;
      },
      () => false, // whatever it is, it is noted where it happened
    );
  const late = new AbortController();
  const inVain = sleep(PROBE_MS, false, { signal: late.signal }).catch(() => false); // answered in time
  return Promise.race([asked, inVain]).finally(() => late.abort());
}

export function metricsEndpoint(
  metrics: Metrics,
  { changeFeed, databaseHealth }: { changeFeed: ChangeFeed; databaseHealth: DatabaseHealth },
): Endpoint {
  const gather = openGatherer(metrics.registry, () => {
    metrics.caughtUp.set(changeFeed.trusted() ? 1 : 0);
    metrics.databaseWritable.set(databaseHealth.isWritable() ? 1 : 0);
  });
  return endpoint('GET /metrics', {
    access: 'open',
    id: 'metrics',
    undocumented: true,
    summary: 'Measurements in the text format of Prometheus',
    answers: { 200: { description: 'The measurements.', contentType: 'text/plain' } },
    async handler(_request, reply) {
      return reply.type(metrics.registry.contentType).send(await gather());
    },
  });
}
