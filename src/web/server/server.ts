import type { FastifyRequest } from 'fastify';
import { createClient } from '#client';
import { Cookies } from './cookies.ts';
import type { ErrorPages, Face, Host } from './face.ts';
import { Lender } from './lender.ts';
import { type ListenOptions, lazily, openListener } from './listener.ts';
import { mediaFrom } from './media.ts';
import { type Page, Pages, sendPacked } from './page.ts';
import { Reader } from './reader.ts';
import { Sandbox } from './sandbox.ts';
import { visitorAddress } from './security.ts';
import { Sessions } from './sessions.ts';
import { timedTransport } from './transport.ts';
import { addWellKnown } from './well-known.ts';

type Options = ListenOptions & {
  apiUrl: string;
  key: string;
  secret: Buffer;
  timeoutMs?: number;
  sandbox: { staffUrl: string; staffKey: string; merchantKey: string } | null;
};

/** The faces behind the front door. */
export async function serve(
  options: Options,
  { faces, notFoundPage }: { faces: readonly Face[]; notFoundPage(siteUrl: string): Page },
): Promise<{ url: string; close(): Promise<void> }> {
  const { apiUrl, key, log } = options;
  const transport = timedTransport(options.timeoutMs);
  const api = createClient({ url: apiUrl, key, headers: { 'accept-language': 'pt-BR' }, transport });
  const lender = new Lender(api);
  const reader = new Reader(api);
  const pages = new Pages(reader, lender);
  const media = mediaFrom(apiUrl);
  const errorsOf = ({ url }: FastifyRequest): ErrorPages => {
    const path = url.split('?')[0]!;
    const isIn = (prefix: string) => path === prefix || path.startsWith(`${prefix}/`);
    return (added.find(({ prefixes }) => prefixes.some(isIn)) ?? added.at(-1)!).errors;
  };
  const { server, siteUrl, sendPage, listen } = openListener(options, {
    name: 'semana web',
    creditor: () => lender.current(),
    notFoundPage,
    errorsOf,
  });
  addWellKnown(server, lender, siteUrl);
  server.get('/media/*', async (request, reply) => {
    const picture = await media(request, reply);
    if (picture) return sendPacked(request, reply, picture);
    return reply.code(404).header('cache-control', 'no-store').type('text/plain').send('');
  });

  const customers = lazily(() => {
    const cookies = new Cookies(options.secret, siteUrl());
    return { cookies, sessions: new Sessions(cookies, options.secret) };
  });
  const host: Host = {
    server,
    api,
    callerOf: (request) => api.with({ headers: { 'x-client-ip': visitorAddress(request) } }),
    lender,
    reader,
    pages,
    siteUrl,
    cookies: () => customers().cookies,
    sessions: () => customers().sessions,
    sandbox: options.sandbox ? new Sandbox({ ...options.sandbox, apiUrl }) : undefined,
    log,
    sendPage,
  };
  const added = faces.map(({ prefixes, add }) => ({ prefixes, errors: add(host) }));
  await lender.read();
  return listen();
}
