import type { FastifyRequest } from 'fastify';
import { type Client, createClient } from '#client';
import type { RunningWeb, WebOptions } from '../open.ts';
import { Cookies } from './cookies.ts';
import type { ErrorPages, Face, Host, People } from './face.ts';
import { Lender } from './lender.ts';
import { lazily, openListener } from './listener.ts';
import { serveMedia } from './media.ts';
import { type Page, Pages } from './page.ts';
import { CUSTOMERS, MEMBERS, type PeopleKind } from './people.ts';
import { Reader } from './reader.ts';
import { Sandbox } from './sandbox.ts';
import { visitorAddress } from './security.ts';
import { Sessions } from './sessions.ts';
import { timedTransport } from './transport.ts';
import { addWellKnown } from './well-known.ts';

/** The faces behind the front door. */
export async function serve(
  options: WebOptions,
  { faces, notFoundPage }: { faces: readonly Face[]; notFoundPage(siteUrl: string): Page },
): Promise<RunningWeb> {
  const { apiUrl, key, log } = options;
  const transport = timedTransport(options.timeoutMs);
  const door = { url: apiUrl, headers: { 'accept-language': 'pt-BR' }, transport };
  const api = createClient({ ...door, key });
  const lender = new Lender(api);
  const reader = new Reader(api);
  const pages = new Pages(reader, lender);
  const errorsOf = ({ url }: FastifyRequest): ErrorPages => {
    const path = url.split('?')[0]!;
    const isIn = (prefix: string) => path === prefix || path.startsWith(`${prefix}/`);
    return (added.find(({ prefixes }) => prefixes.some(isIn)) ?? added.at(-1)!).errors;
  };
  const { server, siteUrl, sendPage, listen } = openListener(options, {
    name: 'semana web',
    isFramed: options.sandbox !== null,
    creditor: () => lender.current(),
    notFoundPage,
    errorsOf,
  });
  addWellKnown(server, lender, siteUrl);
  serveMedia(server, apiUrl);

  const cookies = lazily(() => new Cookies(options.secret, siteUrl()));
  const meet = (kind: PeopleKind, client: Client): People => ({
    ...kind,
    callerOf: (request) => client.with({ headers: { 'x-client-ip': visitorAddress(request) } }),
    sessions: lazily(() => new Sessions(cookies(), options.secret, `${kind.prefix}sessao`)),
  });
  const host: Host = {
    server,
    api,
    customers: meet(CUSTOMERS, api),
    members:
      options.tillKey === null
        ? undefined
        : meet(MEMBERS, createClient({ ...door, key: options.tillKey, refreshBy: 'refreshMember' })),
    lender,
    reader,
    pages,
    siteUrl,
    cookies,
    sandbox: options.sandbox ? new Sandbox({ ...options.sandbox, apiUrl }) : undefined,
    log,
    sendPage,
  };
  const added = faces.flatMap(({ prefixes, add }) => {
    const errors = add(host);
    return errors ? [{ prefixes, errors }] : [];
  });
  await lender.read();
  return listen();
}
