import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Client } from '#client';
import type { AccountKind } from './accounts.ts';
import type { CatalogCache, CreditorCache } from './catalog-cache.ts';
import type { Cookies } from './cookies.ts';
import type { Page, SharedPages } from './page.ts';
import type { SandboxClient } from './sandbox.ts';
import type { Sessions } from './sessions.ts';

/** The methods of the service's log that the pages use. */
export type Log = { error(context: object, text: string): void; warn(context: object, text: string): void };

/** One kind of account, with the API client and the sessions that an app uses for it. */
export type AccountAccess = AccountKind & {
  /** Creates a client that sends the visitor's IP address, so that rate limits apply to the visitor. */
  createClientFor(request: FastifyRequest): Client;
  getSessions(): Sessions;
};

export type AppHost = {
  server: FastifyInstance;
  api: Client;
  customers: AccountAccess;
  /** Undefined if there is no API key for the till. */
  members: AccountAccess | undefined;
  creditorCache: CreditorCache;
  catalog: CatalogCache;
  sharedPages: SharedPages;
  /** The public URL, without a trailing slash. It is known once the server listens. */
  getSiteUrl(): string;
  getCookies(): Cookies;
  /** Undefined in live mode. */
  sandbox: SandboxClient | undefined;
  log: Log;
  sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply;
};

/** `isUnavailable`: the service does not respond at the moment. `url`: the requested URL. */
export type PageFailure = { isUnavailable: boolean; url: string };

export type ErrorPages = {
  renderNotFound(request: FastifyRequest, reply: FastifyReply): Page;
  renderFailure(request: FastifyRequest, reply: FastifyReply, failure: PageFailure): Page;
};

/** A part of the site with its own pages: the wallet, the till, the hosted payment page, the public site. */
export type App = {
  /** The start of the app's paths. An app without prefixes serves all other paths. */
  pathPrefixes: readonly string[];
  /** Adds the routes and returns the error pages of the app. If the app is not available, adds nothing and returns undefined. */
  addRoutes(host: AppHost): ErrorPages | undefined;
};
