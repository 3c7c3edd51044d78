import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { compress, type EncodedBody } from './assets.ts';
import { sendCompressed } from './page.ts';
import { createTransportWithTimeout } from './transport.ts';

const transport = createTransportWithTimeout();
const CACHE_TTL_MS = 60_000;
const MAX_PICTURE_BYTES = 4 * 1024 * 1024;
const SVG_BROTLI_QUALITY = 5;
/** An estimate of the memory for the key and the headers of a cached picture. */
const CACHE_ENTRY_OVERHEAD_BYTES = 500;
/** Makes a relative URL absolute for parsing. Only the path is used. */
const ANY_ORIGIN = 'http://any';

/** Proxies pictures of merchants and posts: a page loads nothing from another host, and an SVG that is opened directly can run no script. */
export function addMediaProxy(server: FastifyInstance, apiUrl: string): void {
  const pictures = new LRUCache<string, EncodedBody>({
    max: 2_000,
    ttl: CACHE_TTL_MS,
    maxSize: 64 * 1024 * 1024,
    sizeCalculation: ({ raw }) => raw.length + CACHE_ENTRY_OVERHEAD_BYTES,
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

async function fetchPicture(url: string): Promise<EncodedBody | undefined> {
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

/** Converts the URL of an API picture to its path on this site, where the proxy serves it. Returns null for any other URL. */
export function toMediaPath(url: string | null): string | null {
  if (url === null || !URL.canParse(url, ANY_ORIGIN)) return null;
  const { pathname } = new URL(url, ANY_ORIGIN);
  return pathname.startsWith('/media/') ? pathname : null;
}
