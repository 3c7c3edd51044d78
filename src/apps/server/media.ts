import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type Compressed, compress } from './assets.ts';
import { sendCompressed } from './page.ts';
import { createTransportWithTimeout } from './transport.ts';

const transport = createTransportWithTimeout();
const CACHE_TTL_MS = 60_000;
const MAX_PICTURE_BYTES = 4 * 1024 * 1024;
const SVG_BROTLI_QUALITY = 5;

/** Proxies pictures of merchants and posts: a page loads nothing from another host, and an SVG that is opened directly can run no script. */
export function addMediaProxy(server: FastifyInstance, apiUrl: string): void {
  const pictures = new LRUCache<string, Compressed>({
    max: 2_000,
    ttl: CACHE_TTL_MS,
    maxSize: 64 * 1024 * 1024,
    sizeCalculation: ({ raw }) => raw.length + 500,
  });
  server.get('/media/*', async (request, reply) => {
    const [path = ''] = request.url.split('?');
    reply.headers({
      'cache-control': 'public, max-age=3600',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    });
    const cachedPicture = pictures.get(path);
    const picture = cachedPicture ?? (await fetchPicture(apiUrl + path));
    if (!picture) return reply.code(404).header('cache-control', 'no-store').type('text/plain').send('');
    if (!cachedPicture) pictures.set(path, picture);
    return sendCompressed(request, reply, picture);
  });
}

async function fetchPicture(url: string): Promise<Compressed | undefined> {
  const { status, headers, body } = await transport({ method: 'GET', url, headers: {} });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_PICTURE_BYTES) return undefined;
    chunks.push(chunk);
  }
  const type = headers['content-type'] ?? '';
  if (status !== 200 || !type.startsWith('image/')) return undefined;
  const raw = Buffer.concat(chunks);
  return type.startsWith('image/svg') ? compress(type, raw, SVG_BROTLI_QUALITY) : { type, raw };
}

/** Returns the path on this site of a picture of the service; null if the picture is not in its media folder. */
export function toMediaPath(url: string | null): string | null {
  if (url === null || !URL.canParse(url, 'http://here')) return null;
  const { pathname } = new URL(url, 'http://here');
  return pathname.startsWith('/media/') ? pathname : null;
}
