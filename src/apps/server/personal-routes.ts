import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { isProblem } from '#client';
import type { Log } from './app.ts';
import { type FormHandlerOf, redisplayForm } from './form.ts';
import { type Page, type PageResult, toPage } from './page.ts';
import type { PageServer } from './page-server.ts';
import { readClientIp, rejectCrossOriginRequest } from './security.ts';
import { FieldError, type FieldErrors, type Outcome, SubmittedForm } from './submitted-form.ts';
import { isUnreachable } from './transport.ts';

/** Opens a file for download. The body is streamed as it arrives. */
export type DownloadOf<V> = (visit: V) => Promise<{
  headers: Record<string, string | undefined>;
  body: AsyncIterable<Uint8Array | string>;
}>;

export type FormSubmission = {
  params: Record<string, string>;
  /** The path of the page that has the form. */
  pagePath: string;
  /** Equal for repeated submissions of the same rendered form with the same content. */
  idempotencyKey: string;
};

/** The routes of an app that signs users in. S: its session. V: the visit that pages receive. FV, O: the visit and outcome of forms. */
export type PersonalRoutes<S, V, FV, O extends Outcome> = {
  privatePages: Readonly<Record<string, (visit: V) => Promise<PageResult>>>;
  publicPages: Readonly<Record<string, (visit: V) => Promise<PageResult>>>;
  forms: Readonly<Record<string, FormHandlerOf<FV, O>>>;
  downloads?: Readonly<Record<string, DownloadOf<V>>>;

  /** Undefined if no user is signed in. */
  findSession(request: FastifyRequest, reply: FastifyReply): S | undefined;
  /** Whether the error says that the service has ended the session. */
  isSessionEnded(error: unknown, session: S | undefined): boolean;
  endSession(reply: FastifyReply): void;
  /** Returns the URL of the sign-in page, which redirects to this page afterwards. */
  buildSignInPath(pagePath: string): string;

  /** `clearRenderedCookies` clears the cookies whose content the page has rendered. */
  openVisit(
    request: FastifyRequest,
    session: S | undefined,
    options?: { isSlow: boolean },
  ): Promise<{ visit: V; clearRenderedCookies(reply: FastifyReply): void }>;
  /** Renders a page for a problem of the service. Returns undefined for an unexpected error. */
  renderProblem(error: unknown, visit: V): Page | undefined;

  createFormVisit(
    request: FastifyRequest,
    session: S | undefined,
    submission: FormSubmission,
    options: { isSlow: boolean },
  ): FV;
  toFieldErrors(error: unknown, fields: readonly string[]): FieldErrors;
  /** Returns the outcome of a form whose session has ended. */
  toSessionEndedOutcome(submission: FormSubmission, form: SubmittedForm, session: S | undefined): O;
  /** Returns the outcome with the owner of its flash. `failedForm`: the form that was rejected. */
  withFlashOwner(outcome: O, session: S | undefined, failedForm?: SubmittedForm): O;
  /** Stores the flash and the session of the outcome in cookies. */
  storeOutcome(request: FastifyRequest, reply: FastifyReply, outcome: O): void;
};

export class PageNotFound extends Error {}

export const fillPath = (route: string, params: Record<string, string>): string =>
  route.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!));

/** Adds pages, which are never cached, and forms, which respond with a redirect (303) unless the outcome has a page. */
export function addPersonalRoutes<S, V, FV, O extends Outcome>(
  { server, sendPage, log }: Pick<PageServer, 'server' | 'sendPage'> & { log: Log },
  routes: PersonalRoutes<S, V, FV, O>,
): void {
  const submissions = new SubmissionDeduplicator<O>();

  /** Turns an error into a redirect or a page. Throws errors that are not expected. */
  const toErrorResult = (error: unknown, { request, reply, session, visit }: PageRequest<S, V>) => {
    if (routes.isSessionEnded(error, session)) {
      routes.endSession(reply);
      return { redirectTo: routes.buildSignInPath(readPageUrl(request)) };
    }
    const page = routes.renderProblem(error, visit);
    if (!page) throw error;
    return page;
  };
  const sendResult = ({ request, reply }: PageRequest<S, V>, result: PageResult) =>
    'redirectTo' in result
      ? reply.redirect(result.redirectTo, 303)
      : sendPage(request, reply, toPage(result));

  const addPage = (
    path: string,
    handlePage: (visit: V) => Promise<PageResult>,
    { isPublic }: { isPublic: boolean },
  ) =>
    server.get(path, async (request, reply) => {
      setPrivateHeaders(reply);
      const session = routes.findSession(request, reply);
      if (!isPublic && !session) return reply.redirect(routes.buildSignInPath(readPageUrl(request)), 303);
      const { visit, clearRenderedCookies } = await routes.openVisit(request, session);
      const pageRequest = { request, reply, session, visit };
      const result = await handlePage(visit).catch((error: unknown) => toErrorResult(error, pageRequest));
      if (!('redirectTo' in result)) clearRenderedCookies(reply);
      return sendResult(pageRequest, result);
    });

  /** If the service refuses to export a CSV file, the visitor is redirected to the page of its list or report, which shows why. */
  const addDownload = (path: string, openDownload: DownloadOf<V>) =>
    server.get(path, async (request, reply) => {
      setPrivateHeaders(reply);
      const session = routes.findSession(request, reply);
      if (!session) return reply.redirect(routes.buildSignInPath('/'), 303);
      const { visit } = await routes.openVisit(request, session, { isSlow: true });
      try {
        const { headers, body } = await openDownload(visit);
        for (const name of ['content-type', 'content-disposition'])
          if (headers[name]) reply.header(name, headers[name]);
        return reply.send(Readable.from(body));
      } catch (error) {
        const isRefusedCsv = path.endsWith('.csv') && isProblem(error) && error.status < 500;
        const pageRequest = { request, reply, session, visit };
        return sendResult(
          pageRequest,
          isRefusedCsv ? { redirectTo: request.url.replace('.csv', '') } : toErrorResult(error, pageRequest),
        );
      }
    });

  const handleForm = async (
    request: FastifyRequest,
    reply: FastifyReply,
    handler: FormHandlerOf<FV, O>,
    fields: URLSearchParams,
  ): Promise<O> => {
    const params = request.params as Record<string, string>;
    const pagePath = fillPath(handler.pageRoute, params);
    const submission = { params, pagePath, idempotencyKey: hashParts(request.url, String(fields)) };
    const form = new SubmittedForm(fields);
    const session = routes.findSession(request, reply);
    if (!handler.isPublic && !session) return routes.toSessionEndedOutcome(submission, form, session);
    const isSlow = handler.isSlow === true;
    const visit = routes.createFormVisit(request, session, submission, { isSlow });
    try {
      return routes.withFlashOwner(await handler.handle(visit, form), session);
    } catch (error) {
      if (routes.isSessionEnded(error, session))
        return routes.toSessionEndedOutcome(submission, form, session);
      if (!isProblem(error) && !isUnreachable(error) && !(error instanceof FieldError))
        log.error({ err: error, route: request.routeOptions.url }, 'a form failed');
      const errors = routes.toFieldErrors(error, [...fields.keys()]);
      const outcome = redisplayForm(
        { pagePath, pageQuery: handler.buildPageQuery?.(form) },
        form,
        errors,
      ) as O;
      return routes.withFlashOwner(outcome, session, form);
    }
  };

  for (const [path, handlePage] of Object.entries(routes.privatePages))
    addPage(path, handlePage, { isPublic: false });
  for (const [path, handlePage] of Object.entries(routes.publicPages))
    addPage(path, handlePage, { isPublic: true });
  for (const [path, openDownload] of Object.entries(routes.downloads ?? {})) addDownload(path, openDownload);
  for (const [path, handler] of Object.entries(routes.forms))
    server.post(path, async (request, reply) => {
      setPrivateHeaders(reply);
      if (rejectCrossOriginRequest(request, reply)) return reply;
      const fields = readFormFields(request);
      const outcome = await submissions.runOnce(path, request, fields, () =>
        handleForm(request, reply, handler, fields),
      );
      routes.storeOutcome(request, reply, outcome);
      return outcome.page ? sendPage(request, reply, outcome.page) : reply.redirect(outcome.redirectTo, 303);
    });
}

type PageRequest<S, V> = { request: FastifyRequest; reply: FastifyReply; session: S | undefined; visit: V };

/** Returns the URL with its query, and without a trailing slash. */
const readPageUrl = ({ url }: FastifyRequest) => url.replace(/\/$/, '') || '/';

/** A repeated submission within this time gets the outcome of the first one. */
const DUPLICATE_WINDOW_MS = 20_000;
const MAX_RECENT_SUBMISSIONS = 10_000;

/** Runs a form once even if the visitor submits it several times, such as by a double click. */
class SubmissionDeduplicator<O> {
  readonly #outcomes = new LRUCache<string, Promise<O>>({
    max: MAX_RECENT_SUBMISSIONS,
    ttl: DUPLICATE_WINDOW_MS,
  });

  /** A failed submission can be repeated. */
  runOnce(path: string, request: FastifyRequest, fields: URLSearchParams, run: () => Promise<O>): Promise<O> {
    const submissionId = computeSubmissionId(path, request, fields);
    const existingOutcome = this.#outcomes.get(submissionId);
    if (existingOutcome) return existingOutcome;
    const outcome = run();
    this.#outcomes.set(submissionId, outcome);
    outcome.catch(() => this.#outcomes.delete(submissionId));
    return outcome;
  }
}

/**
 * The same bytes with the same cookies from the same IP address are the same submission. A form without an idempotency key
 * (`chave`) is never deduplicated.
 */
function computeSubmissionId(path: string, request: FastifyRequest, fields: URLSearchParams): string {
  if (!fields.has('chave')) return randomUUID();
  return hashParts(path, request.url, String(fields), request.headers.cookie ?? '', readClientIp(request));
}

const readFormFields = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams();

/** Forbids caching, and sends no referrer to other sites. */
export const setPrivateHeaders = (reply: FastifyReply) =>
  reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' });

/** Reads the path of the request, without query and trailing slash. */
export const readPath = ({ url }: FastifyRequest) => url.split('?')[0]!.replace(/\/$/, '');

export const hashParts = (...parts: string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
