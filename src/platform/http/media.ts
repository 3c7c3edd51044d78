import { mkdir } from 'node:fs/promises';
import fastifyStatic from '@fastify/static';
import { HOUR_MS } from '#core/values/duration.ts';
import type { ApiServer } from './api-server.ts';

/** Serves images under /media/, embeddable by any website. The policy keeps an SVG that is opened directly from running scripts. */
export async function mountMedia(apiServer: ApiServer, directories: string[]): Promise<void> {
  for (const directory of directories) await mkdir(directory, { recursive: true });
  await apiServer.fastify.register(fastifyStatic, {
    root: [...new Set(directories)],
    prefix: '/media/',
    index: false,
    decorateReply: false,
    maxAge: HOUR_MS,
    acceptRanges: false,
    setHeaders(reply) {
      reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
      reply.header('cross-origin-resource-policy', 'cross-origin');
      reply.header('access-control-allow-origin', '*');
    },
  });
  apiServer.allowOnlyGet('/media/*');
}
