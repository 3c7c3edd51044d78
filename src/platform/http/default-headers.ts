import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export const API_VERSION = '2026-11-15';

declare module 'fastify' {
  interface FastifyInstance {
    /** Headers of every response, as alternating names and values. */
    defaultHeaders: string[];
  }
}

export function buildDefaultHeaders(https: boolean): Record<string, string> {
  return {
    'api-version': API_VERSION,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...(https && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  };
}

/** Adds the headers to every response that does not set them itself; pages, for example, have their own content security policy. */
export function addDefaultHeaders(server: FastifyInstance, headers: Record<string, string>): void {
  const headerEntries = Object.entries(headers);
  server.decorate('defaultHeaders', headerEntries.flat());
  server.addHook('onSend', (request, reply, _payload, done) => {
    for (const [name, value] of headerEntries) if (!reply.hasHeader(name)) reply.header(name, value);
    reply.header('x-request-id', request.id);
    done();
  });
}

/** Collects the default headers and those that guards have set, for a response that bypasses Fastify. */
export function collectHeaders(
  request: Pick<FastifyRequest, 'id' | 'server'>,
  reply: Pick<FastifyReply, 'getHeaders'>,
): string[] {
  const headers = ['x-request-id', request.id, ...request.server.defaultHeaders];
  for (const [name, value] of Object.entries(reply.getHeaders())) headers.push(name, String(value));
  return headers;
}

const WELL_FORMED_ID = /^[\w.:-]{1,128}$/;

/** Returns the caller's own request id if it is well-formed, otherwise a new one. */
export function chooseRequestId(callerId: string | string[] | undefined): string {
  return typeof callerId === 'string' && WELL_FORMED_ID.test(callerId) ? callerId : randomUUID();
}

/** Counts the Host headers of a request. Node uses the first one, but a proxy in front may have used another. */
export function countHosts({ rawHeaders }: IncomingMessage): number {
  let hostCount = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const headerName = rawHeaders[i]!;
    if (headerName.length === 4 && headerName.toLowerCase() === 'host') hostCount += 1;
  }
  return hostCount;
}
