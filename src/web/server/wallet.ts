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

const SIGN_IN = '/carteira/entrar';
const FLASH = 'nota';
const DRAFT = 'rascunho';
const PROOF = 'codigo';
const FLASH_SECONDS = 600;
const DRAFT_SECONDS = 3600;
/** A code lives five minutes; what it was asked for is kept longer, so that another can be asked for. */
const PROOF_SECONDS = 1800;
/** A second click comes within this time. */
const SAME_CLICK_MS = 20_000;

/**
 * The consumer's wallet: pages for one person, never kept, and forms that are answered by 303 whatever comes of them. Gives back
 * what the frame of the wallet shows to this visitor, for pages that say what went wrong.
 */
export function addWallet(
  server: FastifyInstance,
  parts: () => Parts,
): (request: FastifyRequest, reply: FastifyReply) => Frame {
  const clicks = new LRUCache<string, Promise<Outcome>>({ max: 10_000, ttl: SAME_CLICK_MS });
  let tools: ReturnType<typeof toolsOf> | undefined;
  const toolsFor = () => (tools ??= toolsOf(parts()));

  for (const [path, { make, isPrivate }] of Object.entries(PAGES)) {
    server.get(path, async (request, reply) => {
      keepPrivate(reply);
      const { sessions } = toolsFor();
      const session = sessions.of(request, reply);
      if (isPrivate && !session) return toSignIn(request, reply);
      try {
        return await show(request, reply, make, session);
      } catch (error) {
        if (!isSessionOver(error, session)) throw error;
        sessions.end(reply);
        return toSignIn(request, reply);
      }
    });
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    make: MakeWalletPage,
    session: Session | undefined,
  ): Promise<FastifyReply> {
    const { siteUrl, sendPage } = parts();
    const { cookies, sessions, sandbox } = toolsFor();
    const path = pathOf(request);
    const owner = session && sessions.ownerOf(session.who.phone);
    const read = (name: string) => cookies.read(request.headers.cookie, name) as Flash | undefined;
    const [flash, draft] = [read(FLASH), read(DRAFT)];
    const proof = cookies.read(request.headers.cookie, PROOF) as Proof | undefined;
    const bar = sandbox && (await barOf(sandbox, { proof, session, path }));
    // What somebody else typed on this device is not shown, and goes.
    const isFor = (told: Flash | undefined) => told?.page === path && (!told.owner || told.owner === owner);
    const waiting = { ...(isFor(draft) && draft), ...(isFor(flash) && flash) };
    const visit: WalletVisit = {
      ...{ api: callerOf(request, session), siteUrl, path, proof, bar },
      params: request.params as Record<string, string>,
      ...queryOf(request),
      who: session?.who,
      flash: 'page' in waiting ? (waiting as Flash) : undefined,
      hasDraft: draft !== undefined,
      now: bar ? new Date(bar.now) : new Date(),
      formKey: () => (owner ? `${randomUUID()}.${owner}` : randomUUID()),
    };
    const page = await make(visit).catch((error: unknown) => {
      if (isProblem(error) && [400, 404].includes(error.status)) return missingPage(visit);
      throw error;
    });
    if ('to' in page) return reply.redirect(page.to, 303);
    // It has been said.
    if (flash?.page === path) reply.header('set-cookie', cookies.clear(FLASH));
    if (draft?.page === path || (owner && draft && draft.owner !== owner))
      reply.header('set-cookie', cookies.clear(DRAFT));
    return sendPage(request, reply, page);
  }

  const callerOf = (request: FastifyRequest, session: Session | undefined): Client =>
    parts().api.with({
      headers: { 'x-client-ip': visitorAddress(request) },
      ...(session && { tokens: session.tokens }),
    });

  const addForm = (path: string, form: Form) =>
    server.post(path, async (request, reply) => {
      keepPrivate(reply);
      if (refuseForeign(request, reply)) return reply;
      const { sessions } = toolsFor();
      const fields = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      // Whoever sends the same bytes with the same cookies knows all that the answer has.
      const click = hashOf(
        path,
        request.url,
        String(fields),
        request.headers.cookie ?? '',
        visitorAddress(request),
      );
      const key = fields.has('chave') ? click : randomUUID();
      let outcome = clicks.get(key);
      if (!outcome) {
        outcome = run(request, reply, form, fields);
        clicks.set(key, outcome);
        outcome.catch(() => clicks.delete(key));
      }
      const { to, flash, login, proof, isOver } = await outcome;
      const { cookies } = toolsFor();
      if (flash?.values && isOver) {
        // Of a form that names nobody it is not known whose it is: better lost than shown to somebody else.
        if (flash.owner) reply.header('set-cookie', cookies.set(DRAFT, flash, DRAFT_SECONDS));
      } else if (flash) reply.header('set-cookie', cookies.set(FLASH, flash, FLASH_SECONDS));
      if (proof) reply.header('set-cookie', cookies.set(PROOF, proof, PROOF_SECONDS));
      if (isOver) sessions.end(reply);
      if (login) {
        sessions.begin(reply, login);
        reply.header('set-cookie', cookies.clear(PROOF)); // used up, or not needed any more
      }
      return reply.redirect(to, 303);
    });

  async function run(
    request: FastifyRequest,
    reply: FastifyReply,
    form: Form,
    fields: URLSearchParams,
  ): Promise<Outcome> {
    const { cookies, sessions, sandbox } = toolsFor();
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
    const draft = cookies.read(request.headers.cookie, DRAFT) as Flash | undefined;
    const afterLogin = ({ customer }: Login, to = '/carteira') => {
      if (!draft) return to;
      return draft.owner === sessions.ownerOf(customer.phone) ? draft.page : '/carteira';
    };
    try {
      const outcome = await form.act(
        {
          ...{ api: callerOf(request, session), who: session?.who, params, page, sandbox, afterLogin },
          proof: cookies.read(request.headers.cookie, PROOF) as Proof | undefined,
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
      // Nothing that was typed is lost, whatever went wrong.
      if (!isProblem(error) && !isUnreachable(error)) {
        const { log } = parts();
        log.error({ err: error, route: request.routeOptions.url }, 'a form failed');
      }
      return { to: page, flash: { page, owner, values: sent.values(), faults: faultOf(error) } };
    }
  }

  for (const [path, form] of Object.entries(FORMS)) addForm(path, form);
  if (parts().sandbox) for (const [path, form] of Object.entries(SANDBOX_FORMS)) addForm(path, form);
  server.get('/carteira/eventos', async (request, reply) => {
    keepPrivate(reply);
    const session = toolsFor().sessions.of(request, reply);
    return streamEvents(request, reply, session && callerOf(request, session));
  });
  return (request, reply) => ({
    who: toolsFor().sessions.of(request, reply)?.who,
    path: pathOf(request),
    bar: undefined,
    flash: undefined,
    formKey: randomUUID,
  });
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

/** In no cache, and no address of a page leaves with a link. */
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

/** The bar is a help: pages do without it. */
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
      ...{ now, isMoved: offset_seconds !== 0, messages, code },
      ...{ canOffer: session !== undefined, canFillIn: path === DATA_PAGE },
    };
  } catch {
    return undefined;
  }
}
