import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Client, isProblem } from '#client';

/** The line is cut before a token ends: the browser comes back by itself, and that request can be given a new cookie. */
const MOST_MS = 10 * 60_000;
const BEAT_MS = 25_000;
/** Sent and left at once: a browser that is told of nothing worth knowing comes back no sooner. */
const RETRY_MS = 2_000;

/**
 * Tells a page that something happened to its customer, and nothing of what: the page reads itself again. `fim`: the session is
 * over, so there is no use in coming back.
 */
export async function streamEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  api: Client | undefined,
): Promise<FastifyReply> {
  const gone = new AbortController();
  request.raw.once('close', () => gone.abort());
  let end = api ? '' : 'event: fim\ndata: 1\n\n';
  // A token that has to be refreshed is, while a cookie can still be set.
  await api?.getMe().catch((error: unknown) => {
    if (!isProblem(error) || error.status !== 401) throw error;
    end = 'event: fim\ndata: 1\n\n';
  });
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    ...{ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
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
    // What happened before anybody listened is found by looking once they do.
    const events = api.streamEvents({ signal: gone.signal, onOpen: () => tell('aberto') });
    for await (const { type } of events) tell(type);
  } catch (error) {
    if (isProblem(error) && error.status === 401) raw.write('event: fim\ndata: 1\n\n');
  } finally {
    clearInterval(beat);
    clearTimeout(limit);
    raw.end();
  }
  return reply;
}
