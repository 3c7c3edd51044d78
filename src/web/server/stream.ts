import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Client, isProblem } from '#client';
import { MINUTE_MS } from '#core/duration.ts';
import type { PeopleKind } from './people.ts';

/** The stream is closed before the access token expires: the browser reconnects, and that request can set a new cookie. */
const MOST_MS = 10 * MINUTE_MS;
const BEAT_MS = 25_000;
/** How soon the browser reconnects. */
const RETRY_MS = 2_000;

const OVER = 'event: fim\ndata: 1\n\n';

/**
 * Server-sent events for a page: `novo` says that something happened to them, without data; the page then reloads its
 * content. `fim` says that the session is over, so the page stops reconnecting.
 */
export async function streamEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  { check, events }: PeopleKind,
  api: Client | undefined,
): Promise<FastifyReply> {
  const gone = new AbortController();
  request.raw.once('close', () => gone.abort());
  let end = api ? '' : OVER;
  // Refreshes an expired token now, while a cookie can still be set.
  if (api)
    await check(api).catch((error: unknown) => {
      if (!isProblem(error) || error.status !== 401) throw error;
      end = OVER;
    });
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream',
    'x-accel-buffering': 'no',
  });
  raw.write(`retry: ${RETRY_MS}\n\n${end}`);
  if (end || !api) {
    raw.end();
    return reply;
  }
  const beat = setInterval(() => raw.write(': \n\n'), BEAT_MS);
  const limit = setTimeout(() => gone.abort(), MOST_MS);
  const tell = (what: string) => raw.write(`event: novo\ndata: ${what}\n\n`);
  try {
    // `aberto` makes the page look once: it finds what happened before the stream was open.
    const happened = events(api, { signal: gone.signal, onOpen: () => tell('aberto') });
    for await (const { type } of happened) tell(type);
  } catch (error) {
    if (isProblem(error) && error.status === 401) raw.write(OVER);
  } finally {
    clearInterval(beat);
    clearTimeout(limit);
    raw.end();
  }
  return reply;
}
