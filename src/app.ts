import { join } from 'node:path';
import { type Content, catalogEndpoints, catalogHousekeeping, openContent } from '#catalog';
import { answerPreflight, apiKeyGuard, Keyring, KeyUse, partnerProblems, RateLimiter } from '#partners';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { openDb } from '#platform/db.ts';
import { errorPages } from '#platform/docs/error-pages.ts';
import { mountReference, openApiEndpoints } from '#platform/docs/reference.ts';
import { healthEndpoint, metricsEndpoint, readyEndpoint } from '#platform/health.ts';
import { startHousekeeping } from '#platform/housekeeping.ts';
import { type Door, openDoor } from '#platform/http/door.ts';
import { openApi } from '#platform/http/openapi.ts';
import { forgetOldAnswers, idempotencyProblems } from '#platform/idempotency.ts';
import type { Log } from '#platform/log.ts';
import { mountMedia } from '#platform/media.ts';
import { openMetrics } from '#platform/metrics.ts';
import { News } from '#platform/news.ts';
import { platformProblems } from '#platform/problem.ts';
import { DEMO_PARTNER_KEY } from '#sandbox';

const DEMO_MEDIA = join(import.meta.dirname, '../demo/media');

const TAGS = [
  {
    name: 'Catalog',
    description: 'What an institutional website shows: merchants, questions, posts, forms.',
  },
];

const DESCRIPTION = `Partners call Semana over HTTP with a key in the header \`x-api-key\`.

Lists are \`{"data": [...]}\`, with \`pagination\` and a \`Link\` header where they come in pages. Errors are problem details (RFC 9457): look at \`code\`. Every response has an \`x-request-id\`; send your own to find it in our logs. Changes are additive: ignore fields you do not know. \`api-version\` names the version of this document.`;

export type App = {
  front: Door;
  staff: Door;
  /** Opens both doors; returns when requests can be served. */
  start(): Promise<{ frontUrl: string; staffUrl: string }>;
  /** Lets running requests end, then closes everything it opened. */
  stop(): Promise<void>;
};

/** Puts the house together: both doors, every endpoint, who is told of what. */
export async function createApp(parts: {
  config: Config;
  databaseUrl: string;
  clock: Clock;
  log: Log;
}): Promise<App> {
  const { config, databaseUrl, clock, log } = parts;
  let publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
  const shared = { log, metrics: openMetrics(), publicUrl: () => publicUrl };

  const db = openDb({
    url: databaseUrl,
    poolSize: config.databasePoolSize,
    label: 'semana',
    onIdleError: (error) => log.warn({ err: error }, 'idle database connection lost'),
  });
  const news = new News(databaseUrl, log);
  const keyring = new Keyring(db, news, log);
  const keyUse = new KeyUse(db, clock, log);
  const content: Content = openContent({ db, news, clock, log, publicUrl: shared.publicUrl });

  const guard = apiKeyGuard({
    keyring,
    limiter: new RateLimiter(db),
    keyUse,
    clock,
    metrics: shared.metrics,
  });
  const https = publicUrl.startsWith('https:');
  const front = openDoor({ name: 'front', https, guard, preflight: answerPreflight(keyring), ...shared });
  const staff = openDoor({ name: 'staff', https: false, guard, ...shared });

  front.mount([
    ...catalogEndpoints(content),
    healthEndpoint(),
    ...errorPages([...platformProblems, ...idempotencyProblems, ...partnerProblems]),
    ...openApiEndpoints(() =>
      openApi({
        endpoints: front.endpoints,
        tags: TAGS,
        description: DESCRIPTION,
        keyProblems: partnerProblems,
      }),
    ),
  ]);
  await mountReference(front, config.mode === 'sandbox' ? DEMO_PARTNER_KEY : null);
  await mountMedia(front, [config.mediaDir, ...(config.mode === 'sandbox' ? [DEMO_MEDIA] : [])]);
  staff.mount([
    healthEndpoint(),
    readyEndpoint({ db, news, loaded: () => content.shelf.current() }),
    metricsEndpoint(shared.metrics, news),
  ]);

  const stopHousekeeping = startHousekeeping(log, [
    () => forgetOldAnswers(db, clock.now()),
    () => catalogHousekeeping(db, clock.now()),
  ]);

  return {
    front,
    staff,
    async start() {
      const frontUrl = await listen(front, config.host, config.port);
      if (!config.publicUrl) publicUrl = frontUrl;
      const staffUrl = await listen(staff, config.staffHost, config.staffPort);
      await news.start();
      await Promise.all([content.shelf.whenCurrent(), keyring.whenCurrent()]);
      return { frontUrl, staffUrl };
    },
    async stop() {
      stopHousekeeping();
      await Promise.all([front.server.close(), staff.server.close()]);
      await keyUse.stop();
      await news.stop();
      await db.close();
    },
  };
}

async function listen(door: Door, host: string, port: number): Promise<string> {
  await door.server.listen({ host, port });
  const { port: taken } = door.server.server.address() as { port: number };
  return `http://${host === '0.0.0.0' || host === '::' || host === '127.0.0.1' ? 'localhost' : host}:${taken}`;
}
