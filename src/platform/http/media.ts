import { mkdir } from 'node:fs/promises';
import fastifyStatic from '@fastify/static';
import { HOUR_MS } from '#core/duration.ts';
import type { Door } from './door.ts';

/** Images under /media/, embeddable by any website. An SVG that is opened directly cannot run scripts. */
export async function mountMedia(door: Door, directories: string[]): Promise<void> {
  for (const directory of directories) await mkdir(directory, { recursive: true });
  await door.server.register(fastifyStatic, {
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
  door.readOnly('/media/*');
}
