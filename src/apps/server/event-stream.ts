import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Client, isProblem } from '#client';
import { MINUTE_MS } from '#core/values/duration.ts';
import type { AccountKind } from './accounts.ts';

/** The stream is closed before the access token expires: the browser reconnects, and that request can set a new cookie. */
const MAX_STREAM_MS = 10 * MINUTE_MS;
const HEARTBEAT_MS = 25_000;
/** How soon the browser reconnects. */
const RETRY_MS = 2_000;

const SESSION_ENDED_EVENT = 'event: fim\ndata: 1\n\n';

/**
 * Server-sent events for a page. `novo` says that something happened to the user, without data; the page then reloads its content.
 * `fim` says that the session has ended, so the page stops reconnecting. `api` is undefined if no user is signed in.
 */
export async function streamEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  accounts: AccountKind,
  api: Client | undefined,
): Promise<FastifyReply> {
  const abort = new AbortController();
  request.raw.once('close', () => abort.abort());
  // An expired token is refreshed now, while a cookie can still be set.
  const isSessionValid = api !== undefined && (await hasValidSession(accounts, api));
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream',
    'x-accel-buffering': 'no',
  });
  raw.write(`retry: ${RETRY_MS}\n\n${isSessionValid ? '' : SESSION_ENDED_EVENT}`);
  if (!isSessionValid) {
    raw.end();
    return reply;
  }
  const heartbeat = setInterval(() => raw.write(': \n\n'), HEARTBEAT_MS);
  const timeout = setTimeout(() => abort.abort(), MAX_STREAM_MS);
  const sendEvent = (data: string) => raw.write(`event: novo\ndata: ${data}\n\n`);
  try {
    // `aberto` makes the page reload once, to show what happened before the stream was open.
    const events = accounts.streamEvents(api, { signal: abort.signal, onOpen: () => sendEvent('aberto') });
    for await (const { type } of events) sendEvent(type);
  } catch (error) {
    if (isProblem(error) && error.status === 401) raw.write(SESSION_ENDED_EVENT);
  } finally {
    clearInterval(heartbeat);
    clearTimeout(timeout);
    raw.end();
  }
  return reply;
}

async function hasValidSession(accounts: AccountKind, api: Client): Promise<boolean> {
  try {
    await accounts.checkSession(api);
    return true;
  } catch (error) {
    if (!isProblem(error) || error.status !== 401) throw error;
    return false;
  }
}
