import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Client, isProblem } from '#client';
import { MINUTE_MS } from '#core/values/duration.ts';
import { type AccountKind, getPerson } from './accounts.ts';
import type { AccountAccess, AppHost, ErrorPages, PageFailure } from './app.ts';
import { createQueryReader, type Page, wrapElement } from './page.ts';
import {
  addPersonalRoutes,
  PageNotFound,
  type PersonalRoutes,
  readPath,
  setPrivateHeaders,
} from './personal-routes.ts';
import { toFieldErrors } from './problem-texts.ts';
import type { SandboxClient } from './sandbox.ts';
import { createSandboxForms } from './sandbox-forms.ts';
import type { Session } from './sessions.ts';
import type { Flash } from './submitted-form.ts';
import {
  type CodeChallenge,
  type FormHandler,
  type FormOutcome,
  type FormVisit,
  type LayoutContext,
  type PersonalPageHandler,
  type PersonalVisit,
  type SandboxBarData,
  VisitContext,
} from './visit.ts';

/** The stream is closed before the access token expires: the browser reconnects, and that request can set a new cookie. */
const MAX_STREAM_MS = 10 * MINUTE_MS;
const HEARTBEAT_MS = 25_000;
const RETRY_MS = 2_000;

/** Browsers ignore an event without data. */
const SESSION_ENDED_EVENT = 'event: fim\ndata: 1\n\n';

/**
 * Streams server-sent events to a page. `novo` says that data of the user changed; the page then reloads its content.
 * `fim` says that the session has ended, so the page stops reconnecting. `api` is undefined if no user is signed in.
 */
export async function streamEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  accounts: AccountKind,
  api: Client | undefined,
): Promise<FastifyReply> {
  const abortController = new AbortController();
  request.raw.once('close', () => abortController.abort());
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
  const timeout = setTimeout(() => abortController.abort(), MAX_STREAM_MS);
  const sendEvent = (data: string) => raw.write(`event: novo\ndata: ${data}\n\n`);
  try {
    // `aberto` makes the page reload once, to show what happened before the stream was open.
    const events = accounts.streamEvents(api, {
      signal: abortController.signal,
      onOpen: () => sendEvent('aberto'),
    });
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

export type PersonalApp = {
  accounts: AccountAccess;
  home: string;
  /** Returns the URL of the sign-in page, which redirects to this page afterwards. */
  buildSignInPath(pagePath: string): string;
  privatePages: Readonly<Record<string, PersonalPageHandler>>;
  publicPages: Readonly<Record<string, PersonalPageHandler>>;
  forms: Readonly<Record<string, FormHandler>>;
  renderNotFoundPage(context: LayoutContext): Page;
  renderFailurePage(context: LayoutContext, failure: PageFailure): Page;
};

/** What the cookies of a request say about the visitor. */
type CookieState = {
  session: Session | undefined;
  /** Identifies the signed-in user in flashes and drafts; undefined without a session. */
  owner: string | undefined;
  flash: Flash | undefined;
  /** The values of a form that was sent after the session had ended. They are shown again after the sign-in. */
  draft: Flash | undefined;
  challenge: CodeChallenge | undefined;
};

const FLASH_COOKIE = 'nota';
const DRAFT_COOKIE = 'rascunho';
const CHALLENGE_COOKIE = 'codigo';
const DEVICE_COOKIE = 'aparelho';
/** The longest time for which browsers store a cookie. */
const DEVICE_SECONDS = 400 * 24 * 3600;
const FLASH_SECONDS = 600;
const DRAFT_SECONDS = 3600;
/** A code is valid for five minutes. Its challenge is stored longer, so that another code can be requested. */
const CHALLENGE_SECONDS = 1800;
const DRAFT_NOTE = 'O que você tinha escrito está aqui. Confira e envie.';

/** Adds the pages and forms of an app for customers or members, and the stream that reports changes to its pages. */
export function addPersonalPages(host: AppHost, app: PersonalApp): ErrorPages {
  const { server, getCookies } = host;
  const { accounts, home } = app;
  const findSession = (request: FastifyRequest, reply: FastifyReply) =>
    accounts.getSessions().find(request, reply);
  const computeOwnerId = (phone: string) => accounts.getSessions().computeOwnerId(phone);
  /** An opaque id of the browser. The service uses it to detect many sign-ups on one device. */
  const readDeviceId = ({ headers }: FastifyRequest) =>
    getCookies().read(headers.cookie, DEVICE_COOKIE) as string | undefined;
  const createClient = (request: FastifyRequest, session: Session | undefined): Client => {
    const deviceId = readDeviceId(request);
    return accounts.createClientFor(request).with({
      ...(deviceId !== undefined && { headers: { 'x-device': deviceId } }),
      ...(session && { tokens: session.tokens }),
    });
  };
  const readCookieState = ({ headers }: FastifyRequest, session: Session | undefined): CookieState => {
    const readCookie = (name: string) => getCookies().read(headers.cookie, accounts.cookiePrefix + name);
    return {
      session,
      owner: session && computeOwnerId(session.user.phone),
      flash: readCookie(FLASH_COOKIE) as Flash | undefined,
      draft: readCookie(DRAFT_COOKIE) as Flash | undefined,
      challenge: readCookie(CHALLENGE_COOKIE) as CodeChallenge | undefined,
    };
  };
  const setCookie = (reply: FastifyReply, name: string, value: unknown, seconds: number) =>
    getCookies().set(reply, accounts.cookiePrefix + name, value, seconds);
  const clearCookie = (reply: FastifyReply, name: string) =>
    getCookies().clear(reply, accounts.cookiePrefix + name);

  const createVisit = async (request: FastifyRequest, cookieState: CookieState): Promise<PersonalVisit> => {
    const { sandbox, getSiteUrl } = host;
    const { session, owner, flash, draft, challenge } = cookieState;
    const path = readPath(request);
    const sandboxBar = sandbox && (await readSandboxBar(sandbox, path, app, cookieState));
    // Values that another person typed on this device must not be shown.
    const isForThisVisit = (candidate: Flash | undefined) =>
      candidate?.pagePath === path && (!candidate.owner || candidate.owner === owner);
    // A draft has the typed values, and a flash of the same page adds its note or errors.
    const ownFlashes = [draft, flash].filter(isForThisVisit);
    return {
      api: createClient(request, session),
      siteUrl: getSiteUrl(),
      home,
      path,
      challenge,
      sandboxBar,
      sandbox,
      params: request.params as Record<string, string>,
      ...createQueryReader(request),
      user: session?.user,
      flash: ownFlashes.length > 0 ? Object.assign({}, ...ownFlashes) : undefined,
      hasDraft: draft !== undefined,
      now: sandboxBar ? new Date(sandboxBar.now) : new Date(),
      createFormKey: () => (owner ? `${randomUUID()}.${owner}` : randomUUID()),
    };
  };

  const routes: PersonalRoutes<Session, PersonalVisit, FormVisit, FormOutcome> = {
    privatePages: provideVisits(app.privatePages),
    publicPages: provideVisits(app.publicPages),
    forms: { ...app.forms, ...(host.sandbox && createSandboxForms(home)) },
    findSession,
    isSessionEnded,
    endSession: (reply) => accounts.getSessions().end(reply),
    buildSignInPath: app.buildSignInPath,
    async openVisit(request, session) {
      const cookieState = readCookieState(request, session);
      const visit = await createVisit(request, cookieState);
      const { flash, draft, owner } = cookieState;
      return {
        visit,
        clearRenderedCookies(reply) {
          if (flash?.pagePath === visit.path) clearCookie(reply, FLASH_COOKIE);
          // A draft of another person is cleared, too. Without a signed-in user it stays until its owner signs in.
          if (owner && draft && (draft.pagePath === visit.path || draft.owner !== owner))
            clearCookie(reply, DRAFT_COOKIE);
        },
      };
    },
    renderProblem: (error, visit) =>
      error instanceof PageNotFound || (isProblem(error) && [400, 403, 404].includes(error.status))
        ? app.renderNotFoundPage(visit)
        : undefined,
    createFormVisit(request, session, submission) {
      const { draft, challenge } = readCookieState(request, session);
      return {
        ...submission,
        api: createClient(request, session),
        user: session?.user,
        sandbox: host.sandbox,
        accounts,
        choosePathAfterLogin(login, redirectTo = home) {
          if (!draft) return redirectTo;
          // With a draft of another person, `redirectTo` may be a page of that person.
          return draft.owner === computeOwnerId(getPerson(login).phone) ? draft.pagePath : home;
        },
        challenge,
        refreshToken: session?.refreshToken(),
      };
    },
    toFieldErrors: (error) => toFieldErrors(error),
    toSessionEndedOutcome: ({ pagePath }, form, session) => ({
      redirectTo: app.buildSignInPath(pagePath),
      endsSession: true,
      flash: {
        pagePath,
        owner: session ? computeOwnerId(session.user.phone) : form.readKeyOwner(),
        values: form.listRedisplayableValues(),
        note: DRAFT_NOTE,
      },
    }),
    withFlashOwner(outcome, session, failedForm) {
      const { flash, login } = outcome;
      const phone = login ? getPerson(login).phone : session?.user.phone;
      const owner = phone ? computeOwnerId(phone) : failedForm?.readKeyOwner();
      return flash && owner ? { ...outcome, flash: { ...flash, owner } } : outcome;
    },
    storeOutcome(request, reply, { flash, login, challenge, endsSession }) {
      if (flash?.values && endsSession) {
        // A draft without an owner is dropped: it must not be shown to another person.
        if (flash.owner) setCookie(reply, DRAFT_COOKIE, flash, DRAFT_SECONDS);
      } else if (flash) setCookie(reply, FLASH_COOKIE, flash, FLASH_SECONDS);
      if (challenge) setCookie(reply, CHALLENGE_COOKIE, challenge, CHALLENGE_SECONDS);
      if (endsSession) accounts.getSessions().end(reply);
      if (login) {
        accounts.getSessions().start(reply, login);
        // The code was used, or is no longer needed.
        clearCookie(reply, CHALLENGE_COOKIE);
      }
      // A browser gets its device id together with its first code.
      if (challenge && readDeviceId(request) === undefined)
        getCookies().set(reply, DEVICE_COOKIE, randomUUID(), DEVICE_SECONDS);
    },
  };
  addPersonalRoutes(host, routes);

  server.get(`${home}/eventos`, async (request, reply) => {
    setPrivateHeaders(reply);
    const session = findSession(request, reply);
    return streamEvents(request, reply, accounts, session && createClient(request, session));
  });

  const createLayoutContext = (request: FastifyRequest, reply: FastifyReply): LayoutContext => ({
    user: findSession(request, reply)?.user,
    home,
    path: readPath(request),
    sandboxBar: undefined,
    flash: undefined,
    createFormKey: randomUUID,
  });
  return {
    renderNotFound: (request, reply) => app.renderNotFoundPage(createLayoutContext(request, reply)),
    renderFailure: (request, reply, failure) =>
      app.renderFailurePage(createLayoutContext(request, reply), failure),
  };
}

const provideVisits = (pages: PersonalApp['privatePages']): PersonalApp['privatePages'] =>
  Object.fromEntries(
    Object.entries(pages).map(([path, renderPage]) => [
      path,
      async (visit) =>
        wrapElement(await renderPage(visit), (element) => (
          <VisitContext.Provider value={visit}>{element}</VisitContext.Provider>
        )),
    ]),
  );

/** Returns undefined if the sandbox does not respond: pages work without the bar. */
async function readSandboxBar(
  sandbox: SandboxClient,
  path: string,
  { accounts }: PersonalApp,
  { challenge, session }: CookieState,
): Promise<SandboxBarData | undefined> {
  const { demo } = accounts;
  const phone = challenge?.phone ?? session?.user.phone;
  try {
    const [{ now, offset_seconds }, messages] = await Promise.all([
      sandbox.readClock(),
      phone ? sandbox.listMessages(phone) : [],
    ]);
    const code = (challenge && messages.find((message) => message.code)?.code) ?? undefined;
    return {
      now,
      isClockMoved: offset_seconds !== 0,
      messages,
      code,
      canBuy: demo.canBuy,
      canReceiveOffer: demo.canBuy && session !== undefined,
      accountsText: session ? undefined : demo.accountsText,
      canFillSignUpForm: path.endsWith('/dados'),
    };
  } catch {
    return undefined;
  }
}

const isSessionEnded = (error: unknown, session: Session | undefined) =>
  session !== undefined &&
  (session.isEnded() ||
    isProblem(error, 'token_invalid', 'token_expired', 'token_missing', 'token_partner_mismatch'));
