import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The dated version of the interface, sent with every response. */
export const API_VERSION = '2026-11-15';

declare module 'fastify' {
  interface FastifyInstance {
    /** Headers of every answer: names and values in turn. */
    defaultHeaders: string[];
  }
}

/** The headers of every answer of a door. */
export function defaultHeaders(https: boolean): Record<string, string> {
  return {
    'api-version': API_VERSION,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...(https && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  };
}

/** Adds them to Fastify's answers, unless the answer has its own, as pages have their own policy. */
export function addDefaultHeaders(server: FastifyInstance, headers: Record<string, string>): void {
  const entries = Object.entries(headers);
  server.decorate('defaultHeaders', entries.flat());
  server.addHook('onSend', (request, reply, _payload, done) => {
    for (const [name, value] of entries) if (!reply.hasHeader(name)) reply.header(name, value);
    reply.header('x-request-id', request.id);
    done();
  });
}

/** For an answer that bypasses Fastify: the same headers, and those the guard has set. */
export function headersOf(
  request: Pick<FastifyRequest, 'id' | 'server'>,
  reply: Pick<FastifyReply, 'getHeaders'>,
): string[] {
  const headers = ['x-request-id', request.id, ...request.server.defaultHeaders];
  for (const [name, value] of Object.entries(reply.getHeaders())) headers.push(name, String(value));
  return headers;
}

const WELL_FORMED_ID = /^[\w.:-]{1,128}$/;

/** The caller's own request id, if it is well-formed. */
export function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && WELL_FORMED_ID.test(given) ? given : randomUUID();
}
