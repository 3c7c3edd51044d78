import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type Packed, pack } from './assets.ts';
import { sendPacked } from './page.ts';
import { timedTransport } from './transport.ts';

const transport = timedTransport();
const KEPT_MS = 60_000;
const MOST_BYTES = 4 * 1024 * 1024;

/** Proxies pictures of merchants and posts: a page names no foreign host, and an SVG opened by itself can run no script. */
export function serveMedia(server: FastifyInstance, apiUrl: string): void {
  const kept = new LRUCache<string, Packed>({
    max: 2_000,
    ttl: KEPT_MS,
    maxSize: 64 * 1024 * 1024,
    sizeCalculation: ({ raw }) => raw.length + 500,
  });
  server.get('/media/*', async (request, reply) => {
    const [path = ''] = request.url.split('?');
    reply.headers({
      'cache-control': 'public, max-age=3600',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    });
    const known = kept.get(path);
    const picture = known ?? (await readPicture(apiUrl + path));
    if (!picture) return reply.code(404).header('cache-control', 'no-store').type('text/plain').send('');
    if (!known) kept.set(path, picture);
    return sendPacked(request, reply, picture);
  });
}

async function readPicture(url: string): Promise<Packed | undefined> {
  const { status, headers, body } = await transport({ method: 'GET', url, headers: {} });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  const type = headers['content-type'] ?? '';
  if (status !== 200 || !type.startsWith('image/')) return undefined;
  const raw = Buffer.concat(chunks);
  return type.startsWith('image/svg') ? pack(type, raw, 5) : { type, raw };
}

/** The path on this site of a picture of the service; null if it is on another host. */
export function mediaPath(url: string | null): string | null {
  if (url === null || !URL.canParse(url, 'http://here')) return null;
  const { pathname } = new URL(url, 'http://here');
  return pathname.startsWith('/media/') ? pathname : null;
}
