import { createServer, type Server } from 'node:http';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
} from 'fastify';
import { DatabaseAway } from '#platform/database/db.ts';
import { debitRoutes } from '../autopay/debits.ts';
import { recRoutes } from '../autopay/recs.ts';
import { type Bank, PLACE_PATH, REC_PLACE_PATH } from '../bank.ts';
import { drawFate, type Fate } from '../faults.ts';
import { chargeRoutes } from './charges.ts';
import { locationRoutes } from './locations.ts';
import { readPayload, readRecPayload } from './payload.ts';
import { pixRoutes } from './pix.ts';
import { PspProblem } from './problem.ts';
import type { Call, Handle, PspResponse, Routes } from './route.ts';
import { grantToken, refusal } from './token.ts';
import { webhookRoutes } from './webhooks.ts';

export const IDENTITY_PATH = '/simulator';

const ROUTES: Routes = {
  ...chargeRoutes,
  ...pixRoutes,
  ...locationRoutes,
  ...webhookRoutes,
  ...recRoutes,
  ...debitRoutes,
};

/** The bank's HTTP server, not yet listening. */
export async function createApiServer(bank: Bank): Promise<Server> {
  const app = Fastify({
    logger: false,
    bodyLimit: 1024 * 1024,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: true },
    frameworkErrors: (error, _request, reply) => void send(reply, answerTo(bank, error)),
  });
  acceptForms(app);
  acceptEmptyJson(app);
  app.setErrorHandler((error, _request, reply) => send(reply, answerTo(bank, error)));
  app.setNotFoundHandler((_request, reply) => send(reply, answerTo(bank, new PspProblem('NaoEncontrado'))));

  for (const [name, handle] of Object.entries(ROUTES)) mount(app, bank, name, handle);

  app.post('/oauth/token', async (request, reply) => {
    await misbehave(bank, reply, false, async () => {
      const { token_errors } = await bank.faultSettings.current();
      if (bank.chance() < token_errors) return answerTo(bank, new PspProblem('ErroInternoDoServidor'));
      return grantToken(bank, request.headers.authorization, request.body);
    });
  });
  app.get(`${PLACE_PATH}:token`, async (request, reply) =>
    send(reply, await readPayload(toCall(bank, request))),
  );
  app.get(`${REC_PLACE_PATH}:token`, async (request, reply) =>
    send(reply, await readRecPayload(toCall(bank, request))),
  );
  app.get('/jwks.json', (_request, reply) => reply.send(bank.keys.jwks));
  app.get(IDENTITY_PATH, (_request, reply) => reply.send({ simulator: bank.keys.simulatorId }));

  await app.ready();
  // A server of its own instead of Fastify's, because listening is retried while another node holds the port.
  const server = createServer((request, response) => app.routing(request, response));
  // Longer than clients keep idle connections, so that the server does not close one that is about to be used.
  server.keepAliveTimeout = 75_000;
  return server;
}

/** `name`: method and address. The token must allow what the resource in the address is called. */
function mount(app: FastifyInstance, bank: Bank, name: string, handle: Handle): void {
  const [method, url] = name.split(' ') as [HTTPMethods, string];
  const isWrite = method !== 'GET';
  const resource = url.split('/')[2]!.replace(/^loc/, 'payloadlocation');
  const scope = `${resource}.${isWrite ? 'write' : 'read'}`;
  app.route({
    method,
    url,
    handler: async (request, reply) => {
      await misbehave(bank, reply, isWrite, async () => {
        const { token_errors } = await bank.faultSettings.current();
        const refused = refusal(bank, request.headers.authorization, scope);
        if (refused === 401 || bank.chance() < token_errors)
          throw new PspProblem('AcessoNegado', [], {
            status: 401,
            detail: 'Token ausente, inválido ou vencido.',
          });
        if (refused === 403) throw new PspProblem('AcessoNegado');
        return handle(toCall(bank, request));
      });
    },
  });
}

/** Carries out the call and answers it, with the fault that `fate` says before or after. */
async function misbehave(
  bank: Bank,
  reply: FastifyReply,
  isWrite: boolean,
  work: () => Promise<PspResponse>,
): Promise<void> {
  const faults = await bank.faultSettings.current();
  if (faults.latency_ms > 0) await new Promise((resolve) => setTimeout(resolve, faults.latency_ms));
  const fate: Fate = drawFate(faults, isWrite, bank.chance);
  const failure = () => {
    const kind = bank.chance() < 0.5 ? 'ErroInternoDoServidor' : 'ServicoIndisponivel';
    return answerTo(bank, new PspProblem(kind));
  };
  if (fate === 'error_early') {
    await send(reply, failure());
    return;
  }
  const answer = await work().catch((error: unknown) => answerTo(bank, error));
  if (fate === 'silence' || fate === 'cut') {
    // No answer: the caller runs into its timeout, or with `cut` into a closed connection.
    reply.hijack();
    if (fate === 'cut') reply.raw.destroy();
    return;
  }
  await send(reply, fate === 'error_late' ? failure() : answer);
}

function toCall(bank: Bank, request: FastifyRequest): Call {
  const { params, query, body } = request as { params: Call['params']; query: Call['query']; body: unknown };
  return { bank, params, query, body, now: bank.clock.now() };
}

function send(reply: FastifyReply, { status, body, contentType }: PspResponse): FastifyReply {
  reply.code(status);
  if (body === undefined) return reply.send();
  return reply
    .type(contentType ?? 'application/json')
    .send(typeof body === 'string' ? body : JSON.stringify(body));
}

function answerTo(bank: Bank, error: unknown): PspResponse {
  const problem = toProblem(bank, error);
  return { status: problem.status, body: problem.body, contentType: 'application/problem+json' };
}

function toProblem(bank: Bank, error: unknown): PspProblem {
  if (error instanceof PspProblem) return error;
  if (error instanceof DatabaseAway) return new PspProblem('ServicoIndisponivel');
  const { statusCode } = error as { statusCode?: number };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new PspProblem('RequisicaoInvalida', [], { status: statusCode });
  bank.log.error({ err: error }, 'the PSP simulator failed');
  return new PspProblem('ErroInternoDoServidor');
}

/** Clients send a content type with a DELETE that has no body. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parse(request, body as string, done);
  });
}

function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
}
