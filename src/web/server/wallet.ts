import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type Client, isProblem } from '#client';
import { type Frame, missingPage } from '../wallet/notices.tsx';
import { FORMS, PAGES, SANDBOX_FORMS } from '../wallet/routes.ts';
import { DATA_PAGE } from '../wallet/sign-up.tsx';
import {
  type Bar,
  type Flash,
  type Form,
  type Login,
  type MakeWalletPage,
  type Outcome,
  type Proof,
  Sent,
  type WalletVisit,
} from '../wallet/visit.ts';
import { faultOf } from '../wallet/words.ts';
import { Cookies } from './cookies.ts';
import { type Page, queryOf } from './page.ts';
import { isUnreachable } from './patience.ts';
import { Sandbox, type SandboxOptions } from './sandbox.ts';
import { refuseForeign, visitorAddress } from './security.ts';
import { type Session, Sessions } from './sessions.ts';
import { streamEvents } from './stream.ts';

type Log = { error(context: object, text: string): void; warn(context: object, text: string): void };
type Parts = {
  api: Client;
  secret: Buffer;
  siteUrl: string;
  sandbox: SandboxOptions | null;
  log: Log;
  sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply;
};

type Kept = { flash: Flash | undefined; draft: Flash | undefined; proof: Proof | undefined };

const SIGN_IN = '/carteira/entrar';
const PROFILE = '/carteira/perfil';
const FLASH = 'nota';
const DRAFT = 'rascunho';
const PROOF = 'codigo';
const FLASH_SECONDS = 600;
const DRAFT_SECONDS = 3600;
/** A code is valid for five minutes; its purpose is kept longer, so that another code can be requested. */
const PROOF_SECONDS = 1800;
/** A second click comes within this time. */
const SAME_CLICK_MS = 20_000;

/** Everything that the steps of a request need. */
class Wallet {
  readonly #parts: () => Parts;
  #tools: ReturnType<typeof toolsOf> | undefined;
  /** Outcomes of forms, deduplicated by click. */
  readonly clicks = new LRUCache<string, Promise<Outcome>>({ max: 10_000, ttl: SAME_CLICK_MS });

  constructor(parts: () => Parts) {
    this.#parts = parts;
  }

  get parts(): Parts {
    return this.#parts();
  }

  get tools(): ReturnType<typeof toolsOf> {
    this.#tools ??= toolsOf(this.parts);
    return this.#tools;
  }

  callerOf(request: FastifyRequest, session: Session | undefined): Client {
    return this.parts.api.with({
      headers: { 'x-client-ip': visitorAddress(request) },
      ...(session && { tokens: session.tokens }),
    });
  }

  /** What the visitor's cookies hold from earlier requests. */
  keptBy(request: FastifyRequest): Kept {
    const read = (name: string) => this.tools.cookies.read(request.headers.cookie, name);
    return {
      flash: read(FLASH) as Flash | undefined,
      draft: read(DRAFT) as Flash | undefined,
      proof: read(PROOF) as Proof | undefined,
    };
  }
}

/**
 * The consumer's wallet: pages for one person, never cached, and forms that are always answered by 303. Returns what the frame
 * of the wallet shows to this visitor, for error pages.
 */
export function addWallet(
  server: FastifyInstance,
  parts: () => Parts,
): (request: FastifyRequest, reply: FastifyReply) => Frame {
  const wallet = new Wallet(parts);
  for (const [path, { make, isPrivate }] of Object.entries(PAGES))
    addPage(server, wallet, path, make, isPrivate);
  const forms = { ...FORMS, ...(wallet.parts.sandbox && SANDBOX_FORMS) };
  for (const [path, form] of Object.entries(forms)) addForm(server, wallet, path, form);
  server.get('/carteira/perfil/meus-dados.json', async (request, reply) => {
    keepPrivate(reply);
    const session = wallet.tools.sessions.of(request, reply);
    if (!session) return reply.redirect(signInFor(PROFILE), 303);
    try {
      const held = await wallet.callerOf(request, session).exportOwnData();
      reply.header('content-disposition', 'attachment; filename="meus-dados.json"');
      return reply.type('application/json').send(JSON.stringify(held, null, 2));
    } catch (error) {
      if (isSessionOver(error, session)) return reply.redirect(signInFor(PROFILE), 303);
      if (!isProblem(error, 'rate_limited')) throw error;
      const owner = wallet.tools.sessions.ownerOf(session.who.phone);
      keepOutcome(wallet, reply, { to: PROFILE, flash: { page: PROFILE, owner, faults: faultOf(error) } });
      return reply.redirect(PROFILE, 303);
    }
  });
  server.get('/carteira/eventos', async (request, reply) => {
    keepPrivate(reply);
    const session = wallet.tools.sessions.of(request, reply);
    return streamEvents(request, reply, session && wallet.callerOf(request, session));
  });
  return (request, reply) => ({
    who: wallet.tools.sessions.of(request, reply)?.who,
    path: pathOf(request),
    bar: undefined,
    flash: undefined,
    formKey: randomUUID,
  });
}

function addPage(
  server: FastifyInstance,
  wallet: Wallet,
  path: string,
  make: MakeWalletPage,
  isPrivate: boolean | undefined,
): void {
  server.get(path, async (request, reply) => {
    keepPrivate(reply);
    const { sessions } = wallet.tools;
    const session = sessions.of(request, reply);
    if (isPrivate && !session) return toSignIn(request, reply);
    try {
      return await show(wallet, request, reply, make, session);
    } catch (error) {
      if (!isSessionOver(error, session)) throw error;
      sessions.end(reply);
      return toSignIn(request, reply);
    }
  });
}

async function show(
  wallet: Wallet,
  request: FastifyRequest,
  reply: FastifyReply,
  make: MakeWalletPage,
  session: Session | undefined,
): Promise<FastifyReply> {
  const kept = wallet.keptBy(request);
  const owner = session && wallet.tools.sessions.ownerOf(session.who.phone);
  const visit = await visitOf(wallet, request, session, owner, kept);
  const page = await make(visit).catch((error: unknown) => {
    if (isProblem(error) && [400, 404].includes(error.status)) return missingPage(visit);
    throw error;
  });
  if ('to' in page) return reply.redirect(page.to, 303);
  forgetShown(wallet, reply, visit.path, owner, kept);
  return wallet.parts.sendPage(request, reply, page);
}

async function visitOf(
  wallet: Wallet,
  request: FastifyRequest,
  session: Session | undefined,
  owner: string | undefined,
  { flash, draft, proof }: Kept,
): Promise<WalletVisit> {
  const { sandbox } = wallet.tools;
  const path = pathOf(request);
  const bar = sandbox && (await barOf(sandbox, { proof, session, path }));
  // What another person typed on this device is not shown.
  const isFor = (told: Flash | undefined) => told?.page === path && (!told.owner || told.owner === owner);
  const waiting = { ...(isFor(draft) && draft), ...(isFor(flash) && flash) };
  return {
    api: wallet.callerOf(request, session),
    siteUrl: wallet.parts.siteUrl,
    path,
    proof,
    bar,
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
  { tools: { cookies } }: Wallet,
  reply: FastifyReply,
  path: string,
  owner: string | undefined,
  { flash, draft }: Kept,
): void {
  if (flash?.page === path) reply.header('set-cookie', cookies.clear(FLASH));
  if (draft?.page === path || (owner && draft && draft.owner !== owner))
    reply.header('set-cookie', cookies.clear(DRAFT));
}

function addForm(server: FastifyInstance, wallet: Wallet, path: string, form: Form): void {
  server.post(path, async (request, reply) => {
    keepPrivate(reply);
    if (refuseForeign(request, reply)) return reply;
    const fields = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const outcome = await runOnce(wallet.clicks, clickOf(path, request, fields), () =>
      runForm(wallet, request, reply, form, fields),
    );
    keepOutcome(wallet, reply, outcome);
    return reply.redirect(outcome.to, 303);
  });
}

/** The same bytes with the same cookies from the same address are the same click, and may get the same answer. */
function clickOf(path: string, request: FastifyRequest, fields: URLSearchParams): string {
  if (!fields.has('chave')) return randomUUID();
  return hashOf(path, request.url, String(fields), request.headers.cookie ?? '', visitorAddress(request));
}

/** Deduplicated by click. A failure is not kept. */
function runOnce(
  clicks: LRUCache<string, Promise<Outcome>>,
  click: string,
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  const known = clicks.get(click);
  if (known) return known;
  const outcome = run();
  clicks.set(click, outcome);
  outcome.catch(() => clicks.delete(click));
  return outcome;
}

/** Writes the cookies that follow from the outcome of a form. */
function keepOutcome({ tools: { cookies, sessions } }: Wallet, reply: FastifyReply, outcome: Outcome): void {
  const { flash, login, proof, isOver } = outcome;
  if (flash?.values && isOver) {
    // A draft without an owner is dropped: it must not be shown to another person.
    if (flash.owner) reply.header('set-cookie', cookies.set(DRAFT, flash, DRAFT_SECONDS));
  } else if (flash) reply.header('set-cookie', cookies.set(FLASH, flash, FLASH_SECONDS));
  if (proof) reply.header('set-cookie', cookies.set(PROOF, proof, PROOF_SECONDS));
  if (isOver) sessions.end(reply);
  if (login) {
    sessions.begin(reply, login);
    reply.header('set-cookie', cookies.clear(PROOF)); // used up, or no longer needed
  }
}

async function runForm(
  wallet: Wallet,
  request: FastifyRequest,
  reply: FastifyReply,
  form: Form,
  fields: URLSearchParams,
): Promise<Outcome> {
  const { sessions, sandbox } = wallet.tools;
  const params = request.params as Record<string, string>;
  const page = form.page.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!));
  const sent = new Sent(fields);
  const session = sessions.of(request, reply);
  const owner = session ? sessions.ownerOf(session.who.phone) : fields.get('chave')?.split('.')[1];
  const signInAgain = (): Outcome => ({
    to: signInFor(page),
    isOver: true,
    flash: { page, owner, values: sent.values(), note: DRAFT_NOTE },
  });
  if (form.isPrivate && !session) return signInAgain();
  const { draft, proof } = wallet.keptBy(request);
  try {
    const outcome = await form.act(
      {
        api: wallet.callerOf(request, session),
        who: session?.who,
        params,
        page,
        sandbox,
        afterLogin: ({ customer }: Login, to = '/carteira') => {
          if (!draft) return to;
          return draft.owner === sessions.ownerOf(customer.phone) ? draft.page : '/carteira';
        },
        proof,
        refreshToken: session?.refreshToken(),
        idempotencyKey: hashOf(request.url, String(fields)),
      },
      sent,
    );
    const phone = outcome.login?.customer.phone ?? session?.who.phone;
    return outcome.flash && phone
      ? { ...outcome, flash: { ...outcome.flash, owner: sessions.ownerOf(phone) } }
      : outcome;
  } catch (error) {
    if (isSessionOver(error, session)) return signInAgain();
    if (!isProblem(error) && !isUnreachable(error))
      wallet.parts.log.error({ err: error, route: request.routeOptions.url }, 'a form failed');
    // The form is shown again with everything that was typed.
    return { to: page, flash: { page, owner, values: sent.values(), faults: faultOf(error) } };
  }
}

const DRAFT_NOTE = 'O que você tinha escrito está aqui. Confira e envie.';

function toolsOf({ secret, siteUrl, sandbox, api: _ }: Parts) {
  const cookies = new Cookies(secret, siteUrl);
  return {
    cookies,
    sessions: new Sessions(cookies, secret),
    sandbox: sandbox ? new Sandbox(sandbox) : undefined,
  };
}

/** Not cached, and links to other sites send no referrer. */
const keepPrivate = (reply: FastifyReply) =>
  reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' });

const pathOf = ({ url }: FastifyRequest) => url.split('?')[0]!.replace(/\/$/, '');

const signInFor = (page: string) =>
  page === '/carteira' ? SIGN_IN : `${SIGN_IN}?${new URLSearchParams({ para: page })}`;

const toSignIn = (request: FastifyRequest, reply: FastifyReply) =>
  reply.redirect(signInFor(request.url.replace(/\/$/, '')), 303);

const isSessionOver = (error: unknown, session: Session | undefined) =>
  session !== undefined &&
  (session.isOver() ||
    isProblem(error, 'token_invalid', 'token_expired', 'token_missing', 'token_partner_mismatch'));

const hashOf = (...parts: string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** The bar is optional: pages work without it. */
async function barOf(
  sandbox: Sandbox,
  { proof, session, path }: { proof: Proof | undefined; session: Session | undefined; path: string },
): Promise<Bar | undefined> {
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
      canOffer: session !== undefined,
      canFillIn: path === DATA_PAGE,
    };
  } catch {
    return undefined;
  }
}
