import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isProblem, nodeTransport } from '#client';
import { createStaffClient, type StaffClient } from '#staff-client';
import { Cookies } from '../server/cookies.ts';
import { addMediaProxy } from '../server/media.ts';
import { createPageServer, memoize } from '../server/page-server.ts';
import { addPersonalRoutes, readPath } from '../server/personal-routes.ts';
import { readClientIp } from '../server/security.ts';
import { acceptUploads, type Flash, type SubmittedForm } from '../server/submitted-form.ts';
import { createTransportWithTimeout } from '../server/transport.ts';
import type { OfficeOptions, RunningServer } from '../start.ts';
import { failurePage, forbiddenPage, notFoundPage, renderBadUrlPage } from './layout.tsx';
import { isSessionEnded, toOfficeFieldErrors, translateValues } from './problem-texts.ts';
import { DOWNLOADS, FORMS, PAGES } from './routes.ts';
import { buildSignInPath, HOME_PATH, SIGN_IN_PAGES } from './sign-in.tsx';
import type { OfficeFormVisit, OfficeOutcome, OfficeVisit } from './visit.ts';

type OfficeSession = NonNullable<OfficeOutcome['session']>;

const SESSION_COOKIE = 'escritorio';
const SESSION_SECONDS = 12 * 3600;
const FLASH_COOKIE = 'nota';
const FLASH_SECONDS = 600;

/** The limit of each typed value, and of all typed values as JSON: longer text does not fit into an encrypted cookie. */
const MAX_TYPED_LENGTH = 2_000;

/** `URL` can parse a path only with some base. */
const BASE_URL = 'http://office';

/** Builds a flash with the values of a form whose session has ended. Only the user for whom the form was rendered will see it. */
function buildFlashWithTypedValues(pagePath: string, form: SubmittedForm): Flash | undefined {
  const owner = form.readKeyOwner();
  if (!owner) return undefined;
  const values = form.listRedisplayableValues({ maxLength: MAX_TYPED_LENGTH });
  return {
    pagePath,
    owner,
    values: JSON.stringify(values).length > MAX_TYPED_LENGTH ? form.listRedisplayableValues() : values,
    errors: {
      form: 'Sua sessão tinha terminado, e nada foi feito. Confira o que você escreveu e envie de novo.',
    },
  };
}

const isOwnFlash = ({ owner }: Flash, session: OfficeSession | undefined) =>
  owner === undefined || owner === session?.person.id;

const isSignedIn = (session: OfficeSession | undefined) => session?.next === 'done';

/**
 * Serves the back office. It runs in its own process and calls the staff API with the session of the signed-in user, which is stored only in an
 * encrypted cookie.
 */
export async function serveOffice(options: OfficeOptions): Promise<RunningServer> {
  const { staffUrl, publicSiteUrl, isSandbox, log } = options;
  const transport = createTransportWithTimeout(options.apiTimeoutMs);
  /** Without a timeout, for large and slow responses. */
  const streamingTransport = nodeTransport();
  const { server, getSiteUrl, sendPage, listen } = createPageServer(options, {
    name: 'semana office',
    renderBadUrlPage,
    findErrorPages: () => ({
      renderNotFound: (request) => notFoundPage(createVisit(request)),
      renderFailure: (request, _reply, failure) => failurePage(createVisit(request), failure),
    }),
  });
  acceptUploads(server);
  addMediaProxy(server, staffUrl);

  const getCookies = memoize(() => new Cookies(options.secret, getSiteUrl(), 'Strict'));
  const readCookie = ({ headers }: FastifyRequest, name: string) => getCookies().read(headers.cookie, name);
  /** The second factor of the session may still be missing. */
  const readSession = (request: FastifyRequest) =>
    readCookie(request, SESSION_COOKIE) as OfficeSession | undefined;

  const createClient = (request: FastifyRequest, { isSlow }: { isSlow: boolean }): StaffClient => {
    const session = readSession(request);
    return createStaffClient({
      url: staffUrl,
      transport: isSlow ? streamingTransport : transport,
      headers: {
        'accept-language': 'pt-BR',
        'x-forwarded-for': readClientIp(request),
        'user-agent': String(request.headers['user-agent'] ?? ''),
        ...(session && { authorization: `Bearer ${session.session}` }),
      },
    });
  };
  const createVisit = (request: FastifyRequest, { isSlow } = { isSlow: false }): OfficeVisit => {
    const session = readSession(request);
    const path = readPath(request) || HOME_PATH;
    const flash = readCookie(request, FLASH_COOKIE) as Flash | undefined;
    return {
      api: createClient(request, { isSlow }),
      user: isSignedIn(session) ? session?.person : undefined,
      pendingSignIn: isSignedIn(session) ? undefined : session,
      path,
      params: (request.params ?? {}) as Record<string, string>,
      search: new URL(request.url, BASE_URL).searchParams,
      flash: flash?.pagePath === path && isOwnFlash(flash, session) ? flash : undefined,
      isSandbox,
      publicSiteUrl,
      // The key of a form ends with the id of its user, which `SubmittedForm.readKeyOwner` reads.
      createFormKey: () => [randomUUID(), session?.person.id].filter(Boolean).join('.'),
    };
  };

  addPersonalRoutes<OfficeSession, OfficeVisit, OfficeFormVisit, OfficeOutcome>(
    { server, sendPage, log },
    {
      privatePages: PAGES,
      publicPages: SIGN_IN_PAGES,
      forms: FORMS,
      downloads: DOWNLOADS,
      findSession(request) {
        const session = readSession(request);
        return isSignedIn(session) ? session : undefined;
      },
      isSessionEnded,
      endSession: (reply) => getCookies().clear(reply, SESSION_COOKIE),
      buildSignInPath,
      async openVisit(request, _session, openOptions) {
        const visit = createVisit(request, openOptions);
        return {
          visit,
          clearRenderedCookies(reply) {
            if (visit.flash) getCookies().clear(reply, FLASH_COOKIE);
          },
        };
      },
      renderProblem(error, visit) {
        if (isProblem(error) && [400, 404].includes(error.status)) return notFoundPage(visit);
        return isProblem(error, 'role_missing')
          ? forbiddenPage(visit, translateValues(error.message))
          : undefined;
      },
      createFormVisit: (request, completeSession, submission, formOptions) => ({
        ...submission,
        api: createClient(request, formOptions),
        user: completeSession?.person,
        session: readSession(request),
        isSandbox,
        toPageVisit: () => ({ ...createVisit(request), path: submission.pagePath }),
      }),
      toFieldErrors: toOfficeFieldErrors,
      toSessionEndedOutcome: ({ pagePath }, form) => ({
        redirectTo: buildSignInPath(pagePath, { isAfterExpiry: true }),
        endsSession: true,
        flash: buildFlashWithTypedValues(pagePath, form),
      }),
      // A flash is bound to a user only by `buildFlashWithTypedValues`.
      withFlashOwner: (outcome) => outcome,
      storeOutcome(_request, reply, { flash, session, endsSession }) {
        if (flash) getCookies().set(reply, FLASH_COOKIE, flash, FLASH_SECONDS);
        if (session) getCookies().set(reply, SESSION_COOKIE, session, SESSION_SECONDS);
        if (endsSession) getCookies().clear(reply, SESSION_COOKIE);
      },
    },
  );
  return listen();
}
