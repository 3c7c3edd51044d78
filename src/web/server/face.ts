import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Client } from '#client';
import type { Cookies } from './cookies.ts';
import type { Lender } from './lender.ts';
import type { Page, Pages } from './page.ts';
import type { PeopleKind } from './people.ts';
import type { Reader } from './reader.ts';
import type { Sandbox } from './sandbox.ts';
import type { Sessions } from './sessions.ts';

/** The service's log, of which this is all that is used. */
export type Log = { error(context: object, text: string): void; warn(context: object, text: string): void };

/** People of one kind, as a face meets them. */
export type People = PeopleKind & {
  /** In the name of this visitor, whose address the limits count. */
  callerOf(request: FastifyRequest): Client;
  sessions(): Sessions;
};

/** What the server gives to its faces. */
export type Host = {
  server: FastifyInstance;
  api: Client;
  customers: People;
  /** Undefined without a key for the till. */
  members: People | undefined;
  lender: Lender;
  /** Reads of the public catalog, cached. */
  reader: Reader;
  /** Pages that are the same for everybody. */
  pages: Pages;
  /** The address people type, without a slash at the end. Known once the server listens. */
  siteUrl(): string;
  cookies(): Cookies;
  /** Undefined in live. */
  sandbox: Sandbox | undefined;
  log: Log;
  /** A page for one person: never cached. */
  sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply;
};

/** `away`: the service does not answer at the moment. `address`: what was asked for. */
export type Fault = { away: boolean; address: string };

/** How a face looks where a page is missing or could not be made. */
export type ErrorPages = {
  missing(request: FastifyRequest, reply: FastifyReply): Page;
  broken(request: FastifyRequest, reply: FastifyReply, fault: Fault): Page;
};

/** A part of the site with pages of its own. It adds its routes, or none, if it is not to be there. */
export type Face = {
  /** Its addresses begin with one of these. None: whatever belongs to no other face. */
  prefixes: readonly string[];
  add(host: Host): ErrorPages | undefined;
};
