import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Client, isProblem } from '#client';
import { faultOf } from '../ui/words.ts';
import { Clicks, fieldsIn, hashOf, keepPrivate, pathOf } from './clicks.ts';
import type { Cookies } from './cookies.ts';
import type { Host, People } from './face.ts';
import { type Page, pageOf, queryOf } from './page.ts';
import { personOf } from './people.ts';
import type { Sandbox } from './sandbox.ts';
import { sandboxForms } from './sandbox-forms.ts';
import { refuseForeign } from './security.ts';
import type { Session, Sessions } from './sessions.ts';
import { streamEvents } from './stream.ts';
import { isUnreachable } from './transport.ts';
import {
  type Bar,
  type Flash,
  type Form,
  type FormOutcome,
  type Frame,
  type MakePersonalPage,
  type PersonalVisit,
  type Proof,
  Sent,
} from './visit.ts';

/** A face whose pages are for one person. */
export type PersonalFace = {
  people: People;
  /** Where one is at home once signed in. */
  home: string;
  /** Where one signs in to see a page. */
  signInFor(page: string): string;
  /** `isPrivate`: only for who is signed in. */
  pages: Readonly<Record<string, { make: MakePersonalPage; isPrivate: boolean }>>;
  forms: Readonly<Record<string, Form>>;
  missingPage(frame: Frame): Page;
};

type VisitorCookies = { flash: Flash | undefined; draft: Flash | undefined; proof: Proof | undefined };

const FLASH = 'nota';
const DRAFT = 'rascunho';
const PROOF = 'codigo';
const DEVICE = 'aparelho';
const DEVICE_SECONDS = 400 * 24 * 3600;
const FLASH_SECONDS = 600;
const DRAFT_SECONDS = 3600;
/** A code is valid for five minutes; its purpose is kept longer, so that another code can be requested. */
const PROOF_SECONDS = 1800;

/** What the steps of a request need. */
class Personal {
  readonly face: PersonalFace;
  readonly host: Host;
  readonly clicks = new Clicks<FormOutcome>();

  constructor(face: PersonalFace, host: Host) {
    this.face = face;
    this.host = host;
  }

  get cookies(): Cookies {
    return this.host.cookies();
  }

  get sessions(): Sessions {
    return this.face.people.sessions();
  }

  callerOf(request: FastifyRequest, session: Session | undefined): Client {
    const device = this.deviceOf(request);
    return this.face.people.callerOf(request).with({
      ...(device !== undefined && { headers: { 'x-device': device } }),
      ...(session && { tokens: session.tokens }),
    });
  }

  /** An opaque id of the browser, which the service is told: many people who sign up on one device are noticed. */
  deviceOf(request: FastifyRequest): string | undefined {
    return this.cookies.read(request.headers.cookie, DEVICE) as string | undefined;
  }

  nameOf(cookie: string): string {
    return this.face.people.prefix + cookie;
  }

  /** What the visitor's cookies hold from earlier requests. */
  keptBy(request: FastifyRequest): VisitorCookies {
    const read = (name: string) => this.cookies.read(request.headers.cookie, this.nameOf(name));
    return {
      flash: read(FLASH) as Flash | undefined,
      draft: read(DRAFT) as Flash | undefined,
      proof: read(PROOF) as Proof | undefined,
    };
  }

  toSignIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    return reply.redirect(this.face.signInFor(request.url.replace(/\/$/, '')), 303);
  }
}

/**
 * Adds pages for one person, which are never cached, and forms, which are always answered by 303. Returns what the frame of a
 * page shows to this visitor, for error pages.
 */
export function addPersonalPages(
  host: Host,
  face: PersonalFace,
): (request: FastifyRequest, reply: FastifyReply) => Frame {
  const personal = new Personal(face, host);
  const { server } = host;
  for (const [path, { make, isPrivate }] of Object.entries(face.pages))
    addPage(server, personal, path, make, isPrivate);
  const forms = { ...face.forms, ...(host.sandbox && sandboxForms(face.home)) };
  for (const [path, form] of Object.entries(forms)) addForm(server, personal, path, form);
  server.get(`${face.home}/eventos`, async (request, reply) => {
    keepPrivate(reply);
    const session = personal.sessions.of(request, reply);
    return streamEvents(request, reply, face.people, session && personal.callerOf(request, session));
  });
  return (request, reply) => ({
    who: personal.sessions.of(request, reply)?.who,
    home: face.home,
    path: pathOf(request),
    bar: undefined,
    flash: undefined,
    formKey: randomUUID,
  });
}

function addPage(
  server: FastifyInstance,
  personal: Personal,
  path: string,
  make: MakePersonalPage,
  isPrivate: boolean | undefined,
): void {
  server.get(path, async (request, reply) => {
    keepPrivate(reply);
    const { sessions } = personal;
    const session = sessions.of(request, reply);
    if (isPrivate && !session) return personal.toSignIn(request, reply);
    try {
      return await show(personal, request, reply, make, session);
    } catch (error) {
      if (!isSessionOver(error, session)) throw error;
      sessions.end(reply);
      return personal.toSignIn(request, reply);
    }
  });
}

async function show(
  personal: Personal,
  request: FastifyRequest,
  reply: FastifyReply,
  make: MakePersonalPage,
  session: Session | undefined,
): Promise<FastifyReply> {
  const kept = personal.keptBy(request);
  const owner = session && personal.sessions.ownerOf(session.who.phone);
  const visit = await visitOf(personal, request, session, owner, kept);
  const made = await make(visit).catch((error: unknown) => {
    if (isProblem(error) && [400, 403, 404].includes(error.status)) return personal.face.missingPage(visit);
    throw error;
  });
  if ('to' in made) return reply.redirect(made.to, 303);
  forgetShown(personal, reply, visit.path, owner, kept);
  return personal.host.sendPage(request, reply, pageOf(made));
}

async function visitOf(
  personal: Personal,
  request: FastifyRequest,
  session: Session | undefined,
  owner: string | undefined,
  { flash, draft, proof }: VisitorCookies,
): Promise<PersonalVisit> {
  const { sandbox, siteUrl } = personal.host;
  const path = pathOf(request);
  const bar = sandbox && (await barOf(personal, sandbox, { proof, session, path }));
  // What another person typed on this device is not shown.
  const isFor = (told: Flash | undefined) => told?.page === path && (!told.owner || told.owner === owner);
  const waiting = { ...(isFor(draft) && draft), ...(isFor(flash) && flash) };
  return {
    api: personal.callerOf(request, session),
    siteUrl: siteUrl(),
    home: personal.face.home,
    path,
    proof,
    bar,
    sandbox,
    params: request.params as Record<string, string>,
    ...queryOf(request),
    who: session?.who,
    flash: 'page' in waiting ? (waiting as Flash) : undefined,
    hasDraft: draft !== undefined,
    now: bar ? new Date(bar.now) : new Date(),
    formKey: () => (owner ? `${randomUUID()}.${owner}` : randomUUID()),
  };
}

/** Clears the note and the draft that the page has shown, and a draft of another person. */
function forgetShown(
  personal: Personal,
  reply: FastifyReply,
  path: string,
  owner: string | undefined,
  { flash, draft }: VisitorCookies,
): void {
  const clear = (name: string) => reply.header('set-cookie', personal.cookies.clear(personal.nameOf(name)));
  if (flash?.page === path) clear(FLASH);
  // A draft is shown to who is signed in: until then it is kept.
  if (owner && draft && (draft.page === path || draft.owner !== owner)) clear(DRAFT);
}

function addForm(server: FastifyInstance, personal: Personal, path: string, form: Form): void {
  server.post(path, async (request, reply) => {
    keepPrivate(reply);
    if (refuseForeign(request, reply)) return reply;
    const fields = fieldsIn(request);
    const outcome = await personal.clicks.runOnce(path, request, fields, () =>
      runForm(personal, request, reply, form, fields),
    );
    keepOutcome(personal, reply, outcome);
    if (outcome.proof && personal.deviceOf(request) === undefined)
      reply.header('set-cookie', personal.cookies.set(DEVICE, randomUUID(), DEVICE_SECONDS));
    return reply.redirect(outcome.to, 303);
  });
}

/** Writes the cookies that follow from the outcome of a form. */
function keepOutcome(personal: Personal, reply: FastifyReply, outcome: FormOutcome): void {
  const { cookies, sessions } = personal;
  const { flash, login, proof, isOver } = outcome;
  const set = (name: string, value: unknown, seconds: number) =>
    reply.header('set-cookie', cookies.set(personal.nameOf(name), value, seconds));
  if (flash?.values && isOver) {
    // A draft without an owner is dropped: it must not be shown to another person.
    if (flash.owner) set(DRAFT, flash, DRAFT_SECONDS);
  } else if (flash) set(FLASH, flash, FLASH_SECONDS);
  if (proof) set(PROOF, proof, PROOF_SECONDS);
  if (isOver) sessions.end(reply);
  if (login) {
    sessions.begin(reply, login);
    reply.header('set-cookie', cookies.clear(personal.nameOf(PROOF))); // used up, or no longer needed
  }
}

async function runForm(
  personal: Personal,
  request: FastifyRequest,
  reply: FastifyReply,
  form: Form,
  fields: URLSearchParams,
): Promise<FormOutcome> {
  const { sessions } = personal;
  const { sandbox, log } = personal.host;
  const params = request.params as Record<string, string>;
  const page = form.page.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!));
  const sent = new Sent(fields);
  const session = sessions.of(request, reply);
  const owner = session ? sessions.ownerOf(session.who.phone) : fields.get('chave')?.split('.')[1];
  const signInAgain = (): FormOutcome => ({
    to: personal.face.signInFor(page),
    isOver: true,
    flash: { page, owner, values: sent.values(), note: DRAFT_NOTE },
  });
  if (form.isPrivate && !session) return signInAgain();
  const { draft, proof } = personal.keptBy(request);
  try {
    const outcome = await form.act(
      {
        api: personal.callerOf(request, session),
        who: session?.who,
        params,
        page,
        sandbox,
        people: personal.face.people,
        afterLogin: (login, to = personal.face.home) => {
          if (!draft) return to;
          return draft.owner === sessions.ownerOf(personOf(login).phone) ? draft.page : personal.face.home;
        },
        proof,
        refreshToken: session?.refreshToken(),
        idempotencyKey: hashOf(request.url, String(fields)),
      },
      sent,
    );
    const phone = outcome.login ? personOf(outcome.login).phone : session?.who.phone;
    return outcome.flash && phone
      ? { ...outcome, flash: { ...outcome.flash, owner: sessions.ownerOf(phone) } }
      : outcome;
  } catch (error) {
    if (isSessionOver(error, session)) return signInAgain();
    if (!isProblem(error) && !isUnreachable(error))
      log.error({ err: error, route: request.routeOptions.url }, 'a form failed');
    // The form is shown again with everything that was typed.
    return { to: page, flash: { page, owner, values: sent.values(), faults: faultOf(error) } };
  }
}

const DRAFT_NOTE = 'O que você tinha escrito está aqui. Confira e envie.';

const isSessionOver = (error: unknown, session: Session | undefined) =>
  session !== undefined &&
  (session.isOver() ||
    isProblem(error, 'token_invalid', 'token_expired', 'token_missing', 'token_partner_mismatch'));

/** The bar is optional: pages work without it. */
async function barOf(
  { face, host }: Personal,
  sandbox: Sandbox,
  { proof, session, path }: { proof: Proof | undefined; session: Session | undefined; path: string },
): Promise<Bar | undefined> {
  const { demo } = face.people;
  const phone = proof?.phone ?? session?.who.phone;
  try {
    const [{ now, offset_seconds }, messages] = await Promise.all([
      sandbox.clock(),
      phone ? sandbox.messages(phone) : [],
    ]);
    const code = (proof && messages.find((message) => message.code)?.code) ?? undefined;
    return {
      now,
      isMoved: offset_seconds !== 0,
      messages,
      code,
      canBuy: demo.buys,
      hasTill: host.members !== undefined,
      canOffer: demo.buys && session !== undefined,
      accounts: session ? undefined : demo.accounts,
      canFillIn: path.endsWith('/dados'),
    };
  } catch {
    return undefined;
  }
}
