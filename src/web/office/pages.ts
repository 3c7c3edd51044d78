import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { VNode } from 'preact';
import { isProblem, type Transport } from '#client';
import { Clicks, fieldsIn, hashOf, keepPrivate, pathOf } from '../server/clicks.ts';
import type { Cookies } from '../server/cookies.ts';
import type { Log } from '../server/face.ts';
import type { Listener } from '../server/listener.ts';
import type { Page } from '../server/page.ts';
import { refuseForeign, visitorAddress } from '../server/security.ts';
import { isUnreachable } from '../server/transport.ts';
import { type Flash, Sent } from '../server/visit.ts';
import { forbiddenPage, missingPage } from './notices.tsx';
import { createStaffClient, type StaffClient } from './staff/client.ts';
import type { Download, MakeOfficePage, OfficeForm, OfficeOutcome, OfficeVisit, Sealer } from './visit.ts';
import { FieldFault, isSessionOver, officeFaults, rolesInWords } from './words.ts';

export const HOME = '/';
export const SIGN_IN = '/entrar';

type OfficeSession = NonNullable<OfficeOutcome['entered']>;

const SESSION = 'escritorio';
const SESSION_SECONDS = 12 * 3600;
const FLASH = 'nota';
const FLASH_SECONDS = 600;
const SEALED = 'endereco';
const SEALED_SECONDS = 3600;

type OfficeHost = Listener & {
  staffUrl: string;
  publicSite: string | null;
  transport: Transport;
  /** For what may be long, or take long. */
  streaming: Transport;
  cookies(): Cookies;
  isSandbox: boolean;
  log: Log;
};

/** Pages for one person, never cached, and forms, always answered by 303. The session is in an encrypted cookie and nowhere else. */
export class Office {
  readonly #host: OfficeHost;
  readonly #clicks = new Clicks<OfficeOutcome>();
  readonly #sealer: Sealer;

  constructor(host: OfficeHost) {
    this.#host = host;
    this.#sealer = {
      seal: (value) => host.cookies().seal(SEALED, value, SEALED_SECONDS),
      unseal: (text) => host.cookies().unseal(SEALED, text),
    };
  }

  /** `isOpen`: also for who has not signed in, or not wholly. */
  addPage(path: string, make: MakeOfficePage, isOpen = false): void {
    this.#host.server.get(path, async (request, reply) => {
      keepPrivate(reply);
      const visit = this.visitOf(request);
      if (!isOpen && !visit.who) return reply.redirect(signInFor(request.url), 303);
      const page = await make(visit).catch((error: unknown) => this.#refused(error, visit, request, reply));
      if ('to' in page) return reply.redirect(page.to, 303);
      if (visit.flash) this.#set(reply, this.#host.cookies().clear(FLASH));
      return this.#host.sendPage(request, reply, pageOf(page));
    });
  }

  addForm(path: string, form: OfficeForm): void {
    this.#host.server.post(path, async (request, reply) => {
      keepPrivate(reply);
      if (refuseForeign(request, reply)) return reply;
      const fields = fieldsIn(request);
      const outcome = await this.#clicks.runOnce(path, request, fields, () =>
        this.#run(request, form, fields),
      );
      const { cookies } = this.#host;
      if (outcome.flash) this.#set(reply, cookies().set(FLASH, outcome.flash, FLASH_SECONDS));
      if (outcome.entered) this.#set(reply, cookies().set(SESSION, outcome.entered, SESSION_SECONDS));
      if (outcome.isOver) this.#set(reply, cookies().clear(SESSION));
      if (outcome.page) return this.#host.sendPage(request, reply, outcome.page);
      return reply.redirect(outcome.to, 303);
    });
  }

  /** Streams what the staff door answers. Why it refuses a file of a page is told by that page. */
  addDownload(path: string, open: Download): void {
    this.#host.server.get(path, async (request, reply) => {
      keepPrivate(reply);
      const visit = this.visitOf(request);
      if (!visit.who) return reply.redirect(signInFor('/'), 303);
      const api = this.#callerOf(request, this.#keptBy(request), this.#host.streaming);
      const opened = await open({ ...visit, api }).then(
        (answer) => ({ answer }),
        (error: unknown) => ({
          page:
            path.endsWith('.csv') && isProblem(error) && error.status < 500
              ? { to: request.url.replace('.csv', '') }
              : this.#refused(error, visit, request, reply),
        }),
      );
      if ('page' in opened) {
        const { page } = opened;
        return 'to' in page ? reply.redirect(page.to, 303) : this.#host.sendPage(request, reply, page);
      }
      const { headers, body } = opened.answer;
      for (const name of ['content-type', 'content-disposition'])
        if (headers[name]) reply.header(name, headers[name]);
      return reply.send(Readable.from(body));
    });
  }

  /** What is shown where the staff door refused. */
  #refused(error: unknown, visit: OfficeVisit, request: FastifyRequest, reply: FastifyReply) {
    if (isSessionOver(error)) {
      this.#set(reply, this.#host.cookies().clear(SESSION));
      return { to: signInFor(request.url) };
    }
    if (isProblem(error) && [400, 404].includes(error.status)) return missingPage(visit);
    if (isProblem(error, 'role_missing')) return forbiddenPage(visit, rolesInWords(error.message));
    throw error;
  }

  visitOf(request: FastifyRequest): OfficeVisit {
    const kept = this.#keptBy(request);
    const path = pathOf(request) || HOME;
    const flash = this.#host.cookies().read(request.headers.cookie, FLASH) as Flash | undefined;
    return {
      api: this.#callerOf(request, kept),
      who: kept?.next === 'done' ? kept.person : undefined,
      begun: kept && kept.next !== 'done' ? kept : undefined,
      path,
      params: (request.params ?? {}) as Record<string, string>,
      search: new URL(request.url, 'http://office').searchParams,
      flash: flash?.page === path ? flash : undefined,
      isSandbox: this.#host.isSandbox,
      publicSite: this.#host.publicSite,
      formKey: randomUUID,
      sealer: this.#sealer,
    };
  }

  async #run(request: FastifyRequest, form: OfficeForm, fields: URLSearchParams): Promise<OfficeOutcome> {
    const params = request.params as Record<string, string>;
    const page = fill(form.page, params);
    const entered = this.#keptBy(request);
    const who = entered?.next === 'done' ? entered.person : undefined;
    if (!form.isOpen && !who) return { to: signInFor(page), isOver: true };
    const sent = new Sent(fields);
    try {
      const api = this.#callerOf(request, entered, form.isSlow && this.#host.streaming);
      const idempotencyKey = hashOf(request.url, String(fields));
      const { isSandbox } = this.#host;
      const sealer = this.#sealer;
      const shown = () => ({ ...this.visitOf(request), path: page });
      const visit = { api, who, params, page, entered, idempotencyKey, isSandbox, sealer, shown };
      return await form.act(visit, sent);
    } catch (error) {
      if (isSessionOver(error)) return { to: signInFor(page), isOver: true };
      if (!isProblem(error) && !isUnreachable(error) && !(error instanceof FieldFault))
        this.#host.log.error({ err: error, route: request.routeOptions.url }, 'a form failed');
      const faults = officeFaults(error, [...fields.keys()]);
      const query = form.query?.(sent);
      return { to: query ? `${page}?${query}` : page, flash: { page, values: sent.values(), faults } };
    }
  }

  #keptBy(request: FastifyRequest): OfficeSession | undefined {
    return this.#host.cookies().read(request.headers.cookie, SESSION) as OfficeSession | undefined;
  }

  #callerOf(
    request: FastifyRequest,
    kept: OfficeSession | undefined,
    transport = this.#host.transport,
  ): StaffClient {
    const { staffUrl: url } = this.#host;
    const address = visitorAddress(request);
    const agent = String(request.headers['user-agent'] ?? '');
    return createStaffClient({ url, transport, address, agent, session: kept?.session });
  }

  #set(reply: FastifyReply, cookie: string): void {
    reply.header('set-cookie', cookie);
  }
}

const signInFor = (page: string) => (page === HOME ? SIGN_IN : `${SIGN_IN}?para=${encodeURIComponent(page)}`);

/** An address of ours, to go to after signing in. */
export const safeAddress = (given: string | null | undefined): string | undefined =>
  given && /^\/(?![/\\])[^\\]*$/.test(given) && !given.startsWith(SIGN_IN) ? given : undefined;

export const pageOf = (made: VNode | Page): Page => ('body' in made ? made : { body: made });

/** The address of a route with these parameters. */
export const fill = (route: string, params: Record<string, string>): string =>
  route.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!));
