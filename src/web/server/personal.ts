import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Client, isProblem } from '#client';
import { Clicks, fieldsIn, hashOf, keepPrivate, pathOf } from './clicks.ts';
import type { ErrorPages, Fault, Host, People } from './face.ts';
import { again } from './form.ts';
import { type Page, pageOf, queryOf } from './page.ts';
import { personOf } from './people.ts';
import type { Sandbox } from './sandbox.ts';
import { sandboxForms } from './sandbox-forms.ts';
import { refuseForeign } from './security.ts';
import type { Session } from './sessions.ts';
import { streamEvents } from './stream.ts';
import { isUnreachable } from './transport.ts';
import {
  type Bar,
  type Flash,
  type Form,
  type FormOutcome,
  type FormVisit,
  type Frame,
  type MakePersonalPage,
  type PersonalVisit,
  type Proof,
  Sent,
} from './visit.ts';
import { faultOf } from './words.ts';

/** A face whose pages are for one person. */
export type PersonalFace = {
  people: People;
  /** Where one is at home once signed in. */
  home: string;
  /** Where one signs in to see a page. */
  signInFor(page: string): string;
  /** For who is signed in. */
  pages: Readonly<Record<string, MakePersonalPage>>;
  /** For everybody. */
  openPages: Readonly<Record<string, MakePersonalPage>>;
  forms: Readonly<Record<string, Form>>;
  missingPage(frame: Frame): Page;
  brokenPage(frame: Frame, fault: Fault): Page;
};

/** What a visitor's cookies hold from earlier requests. */
type Kept = { flash: Flash | undefined; draft: Flash | undefined; proof: Proof | undefined };
/** A visitor who is signed in has a session, and an owner of what is kept for them. */
type Visitor = Kept & { session: Session | undefined; owner: string | undefined };

const FLASH = 'nota';
const DRAFT = 'rascunho';
const PROOF = 'codigo';
const DEVICE = 'aparelho';
const DEVICE_SECONDS = 400 * 24 * 3600;
const FLASH_SECONDS = 600;
const DRAFT_SECONDS = 3600;
/** A code is valid for five minutes; its purpose is kept longer, so that another code can be requested. */
const PROOF_SECONDS = 1800;
const DRAFT_NOTE = 'O que você tinha escrito está aqui. Confira e envie.';

/** Adds pages for one person, which are never cached, and forms, which are always answered by 303. */
export function addPersonalPages(host: Host, face: PersonalFace): ErrorPages {
  const served = new PersonalPages(host, face);
  for (const [path, make] of Object.entries(face.pages)) served.addPage(path, make, true);
  for (const [path, make] of Object.entries(face.openPages)) served.addPage(path, make, false);
  const forms = { ...face.forms, ...(host.sandbox && sandboxForms(face.home)) };
  for (const [path, form] of Object.entries(forms)) served.addForm(path, form);
  served.addEvents();
  return {
    missing: (request, reply) => face.missingPage(served.frameOf(request, reply)),
    broken: (request, reply, fault) => face.brokenPage(served.frameOf(request, reply), fault),
  };
}

class PersonalPages {
  readonly #host: Host;
  readonly #face: PersonalFace;
  readonly #clicks = new Clicks<FormOutcome>();

  constructor(host: Host, face: PersonalFace) {
    this.#host = host;
    this.#face = face;
  }

  /** What the frame of an error page shows to this visitor. */
  frameOf(request: FastifyRequest, reply: FastifyReply): Frame {
    return {
      who: this.#sessions.of(request, reply)?.who,
      home: this.#face.home,
      path: pathOf(request),
      bar: undefined,
      flash: undefined,
      formKey: randomUUID,
    };
  }

  addEvents(): void {
    this.#host.server.get(`${this.#face.home}/eventos`, async (request, reply) => {
      keepPrivate(reply);
      const session = this.#sessions.of(request, reply);
      return streamEvents(request, reply, this.#face.people, session && this.#callerOf(request, session));
    });
  }

  addPage(path: string, make: MakePersonalPage, isPrivate: boolean): void {
    this.#host.server.get(path, async (request, reply) => {
      keepPrivate(reply);
      const toSignIn = () => reply.redirect(this.#face.signInFor(request.url.replace(/\/$/, '')), 303);
      const session = this.#sessions.of(request, reply);
      if (isPrivate && !session) return toSignIn();
      try {
        return await this.#show(request, reply, make, session);
      } catch (error) {
        if (!isSessionOver(error, session)) throw error;
        this.#sessions.end(reply);
        return toSignIn();
      }
    });
  }

  addForm(path: string, form: Form): void {
    this.#host.server.post(path, async (request, reply) => {
      keepPrivate(reply);
      if (refuseForeign(request, reply)) return reply;
      const fields = fieldsIn(request);
      const run = () => this.#run(request, reply, form, fields);
      const outcome = await this.#clicks.runOnce(path, request, fields, run);
      this.#keep(reply, outcome);
      if (outcome.proof && this.#deviceOf(request) === undefined)
        reply.header('set-cookie', this.#host.cookies().set(DEVICE, randomUUID(), DEVICE_SECONDS));
      return reply.redirect(outcome.to, 303);
    });
  }

  get #sessions() {
    return this.#face.people.sessions();
  }

  #callerOf(request: FastifyRequest, session: Session | undefined): Client {
    const device = this.#deviceOf(request);
    return this.#face.people.callerOf(request).with({
      ...(device !== undefined && { headers: { 'x-device': device } }),
      ...(session && { tokens: session.tokens }),
    });
  }

  /** An opaque id of the browser, which the service is told: many people who sign up on one device are noticed. */
  #deviceOf({ headers }: FastifyRequest): string | undefined {
    return this.#host.cookies().read(headers.cookie, DEVICE) as string | undefined;
  }

  #keptBy({ headers }: FastifyRequest): Kept {
    const read = (name: string) => this.#host.cookies().read(headers.cookie, this.#nameOf(name));
    return {
      flash: read(FLASH) as Flash | undefined,
      draft: read(DRAFT) as Flash | undefined,
      proof: read(PROOF) as Proof | undefined,
    };
  }

  #nameOf(cookie: string): string {
    return this.#face.people.prefix + cookie;
  }

  #set(reply: FastifyReply, name: string, value: unknown, seconds: number): void {
    reply.header('set-cookie', this.#host.cookies().set(this.#nameOf(name), value, seconds));
  }

  #clear(reply: FastifyReply, name: string): void {
    reply.header('set-cookie', this.#host.cookies().clear(this.#nameOf(name)));
  }

  async #show(
    request: FastifyRequest,
    reply: FastifyReply,
    make: MakePersonalPage,
    session: Session | undefined,
  ): Promise<FastifyReply> {
    const owner = session && this.#sessions.ownerOf(session.who.phone);
    const visitor = { ...this.#keptBy(request), session, owner };
    const visit = await this.#visitOf(request, visitor);
    const made = await make(visit).catch((error: unknown) => {
      if (isProblem(error) && [400, 403, 404].includes(error.status)) return this.#face.missingPage(visit);
      throw error;
    });
    if ('to' in made) return reply.redirect(made.to, 303);
    this.#forgetShown(reply, visit.path, visitor);
    return this.#host.sendPage(request, reply, pageOf(made));
  }

  async #visitOf(request: FastifyRequest, visitor: Visitor): Promise<PersonalVisit> {
    const { sandbox, siteUrl } = this.#host;
    const { session, owner, flash, draft, proof } = visitor;
    const path = pathOf(request);
    const bar = sandbox && (await this.#barOf(sandbox, path, visitor));
    // What another person typed on this device is not shown.
    const isFor = (told: Flash | undefined) => told?.page === path && (!told.owner || told.owner === owner);
    const waiting = { ...(isFor(draft) && draft), ...(isFor(flash) && flash) };
    return {
      api: this.#callerOf(request, session),
      siteUrl: siteUrl(),
      home: this.#face.home,
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

  /** The bar is optional: pages work without it. */
  async #barOf(sandbox: Sandbox, path: string, { proof, session }: Visitor): Promise<Bar | undefined> {
    const { demo } = this.#face.people;
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
        hasTill: this.#host.members !== undefined,
        canOffer: demo.buys && session !== undefined,
        accounts: session ? undefined : demo.accounts,
        canFillIn: path.endsWith('/dados'),
      };
    } catch {
      return undefined;
    }
  }

  /** Clears the note and the draft that the page has shown, and a draft of another person. */
  #forgetShown(reply: FastifyReply, path: string, { flash, draft, owner }: Visitor): void {
    if (flash?.page === path) this.#clear(reply, FLASH);
    // A draft is shown to who is signed in: until then it is kept.
    if (owner && draft && (draft.page === path || draft.owner !== owner)) this.#clear(reply, DRAFT);
  }

  /** Writes the cookies that follow from the outcome of a form. */
  #keep(reply: FastifyReply, { flash, login, proof, isOver }: FormOutcome): void {
    if (flash?.values && isOver) {
      // A draft without an owner is dropped: it must not be shown to another person.
      if (flash.owner) this.#set(reply, DRAFT, flash, DRAFT_SECONDS);
    } else if (flash) this.#set(reply, FLASH, flash, FLASH_SECONDS);
    if (proof) this.#set(reply, PROOF, proof, PROOF_SECONDS);
    if (isOver) this.#sessions.end(reply);
    if (login) {
      this.#sessions.begin(reply, login);
      this.#clear(reply, PROOF); // used up, or no longer needed
    }
  }

  async #run(
    request: FastifyRequest,
    reply: FastifyReply,
    form: Form,
    fields: URLSearchParams,
  ): Promise<FormOutcome> {
    const [face, sessions] = [this.#face, this.#sessions];
    const params = request.params as Record<string, string>;
    const page = form.page.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!));
    const sent = new Sent(fields);
    const session = sessions.of(request, reply);
    const owner = session ? sessions.ownerOf(session.who.phone) : fields.get('chave')?.split('.')[1];
    const signInAgain = (): FormOutcome => ({
      to: face.signInFor(page),
      isOver: true,
      flash: { page, owner, values: sent.values(), note: DRAFT_NOTE },
    });
    if (form.isPrivate && !session) return signInAgain();
    const { draft, proof } = this.#keptBy(request);
    const visit: FormVisit = {
      api: this.#callerOf(request, session),
      who: session?.who,
      params,
      page,
      sandbox: this.#host.sandbox,
      people: face.people,
      afterLogin: (login, to = face.home) => {
        if (!draft) return to;
        return draft.owner === sessions.ownerOf(personOf(login).phone) ? draft.page : face.home;
      },
      proof,
      refreshToken: session?.refreshToken(),
      idempotencyKey: hashOf(request.url, String(fields)),
    };
    /** What is shown next is for who sent the form, or has signed in by it. */
    const ownedBy = (outcome: FormOutcome, whose: string | undefined): FormOutcome =>
      outcome.flash && whose ? { ...outcome, flash: { ...outcome.flash, owner: whose } } : outcome;
    try {
      const outcome = await form.act(visit, sent);
      const phone = outcome.login ? personOf(outcome.login).phone : session?.who.phone;
      return ownedBy(outcome, phone && sessions.ownerOf(phone));
    } catch (error) {
      if (isSessionOver(error, session)) return signInAgain();
      if (!isProblem(error) && !isUnreachable(error))
        this.#host.log.error({ err: error, route: request.routeOptions.url }, 'a form failed');
      // The form is shown again with everything that was typed.
      return ownedBy(again(visit, sent, faultOf(error)), owner);
    }
  }
}

const isSessionOver = (error: unknown, session: Session | undefined) =>
  session !== undefined &&
  (session.isOver() ||
    isProblem(error, 'token_invalid', 'token_expired', 'token_missing', 'token_partner_mismatch'));
