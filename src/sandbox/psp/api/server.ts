import { createServer, type Server } from 'node:http';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
} from 'fastify';
import { DatabaseUnavailable } from '#platform/database/db.ts';
import { debitRoutes } from '../autopay/debits.ts';
import { recRoutes } from '../autopay/recs.ts';
import type { Bank } from '../bank.ts';
import { type CallFault, drawCallFault } from '../faults.ts';
import { chargeRoutes } from './charges.ts';
import { pixRoutes } from './pix.ts';
import {
  type BankRequest,
  PspProblem,
  type PspResponse,
  type RouteHandler,
  type Routes,
} from './protocol.ts';
import { checkToken, grantToken } from './token.ts';
import { webhookRoutes } from './webhooks.ts';

export const SIMULATOR_ID_PATH = '/simulator';

const ROUTES: Routes = {
  ...chargeRoutes,
  ...pixRoutes,
  ...webhookRoutes,
  ...recRoutes,
  ...debitRoutes,
};

export async function createApiServer(bank: Bank): Promise<Server> {
  const app = Fastify({
    logger: false,
    bodyLimit: 1024 * 1024,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: true },
    frameworkErrors: (error, _request, reply) => void send(reply, toErrorResponse(bank, error)),
  });
  acceptForms(app);
  acceptEmptyJson(app);
  app.setErrorHandler((error, _request, reply) => send(reply, toErrorResponse(bank, error)));
  app.setNotFoundHandler((_request, reply) =>
    send(reply, toErrorResponse(bank, new PspProblem('NaoEncontrado'))),
  );

  for (const [route, handle] of Object.entries(ROUTES)) addRoute(app, bank, route, handle);

  app.post('/oauth/token', async (request, reply) => {
    await respondWithFaults(bank, reply, { isWrite: false }, async () => {
      const { token_errors } = await bank.faultSettings.getCurrent();
      if (bank.random() < token_errors) return toErrorResponse(bank, new PspProblem('ErroInternoDoServidor'));
      return grantToken(bank, request.headers.authorization, request.body);
    });
  });
  app.get(SIMULATOR_ID_PATH, (_request, reply) => reply.send({ simulator: bank.identity.simulatorId }));

  await app.ready();
  // Fastify does not listen itself, because listening is retried while another node uses the port.
  const server = createServer((request, response) => app.routing(request, response));
  // Longer than clients keep idle connections, so that the server does not close one that a client is about to use.
  server.keepAliveTimeout = 75_000;
  return server;
}

/** `route` is the method and the path. The scope of the token must match the resource in the path. */
function addRoute(app: FastifyInstance, bank: Bank, route: string, handle: RouteHandler): void {
  const [method, url] = route.split(' ') as [HTTPMethods, string];
  const isWrite = method !== 'GET';
  const [, , resource = ''] = url.split('/');
  // The scope of /v2/locrec is named payloadlocationrec.
  const scope = `${resource.replace(/^loc/, 'payloadlocation')}.${isWrite ? 'write' : 'read'}`;
  app.route({
    method,
    url,
    handler: async (request, reply) => {
      await respondWithFaults(bank, reply, { isWrite }, async () => {
        const { token_errors } = await bank.faultSettings.getCurrent();
        const deniedStatus = checkToken(bank, request.headers.authorization, scope);
        if (deniedStatus === 401 || bank.random() < token_errors)
          throw new PspProblem('AcessoNegado', [], {
            status: 401,
            detail: 'Token ausente, inválido ou vencido.',
          });
        if (deniedStatus === 403) throw new PspProblem('AcessoNegado');
        return handle(toBankRequest(bank, request));
      });
    },
  });
}

async function respondWithFaults(
  bank: Bank,
  reply: FastifyReply,
  { isWrite }: { isWrite: boolean },
  getResponse: () => Promise<PspResponse>,
): Promise<void> {
  const faults = await bank.faultSettings.getCurrent();
  if (faults.latency_ms > 0) await new Promise((resolve) => setTimeout(resolve, faults.latency_ms));
  const fault: CallFault = drawCallFault(faults, { isWrite }, bank.random);
  const createErrorResponse = () => {
    const errorKind = bank.random() < 0.5 ? 'ErroInternoDoServidor' : 'ServicoIndisponivel';
    return toErrorResponse(bank, new PspProblem(errorKind));
  };
  if (fault === 'error_early') {
    await send(reply, createErrorResponse());
    return;
  }
  const response = await getResponse().catch((error: unknown) => toErrorResponse(bank, error));
  if (fault === 'no_response' || fault === 'connection_closed') {
    reply.hijack();
    if (fault === 'connection_closed') reply.raw.destroy();
    return;
  }
  await send(reply, fault === 'error_late' ? createErrorResponse() : response);
}

function toBankRequest(bank: Bank, request: FastifyRequest): BankRequest {
  const { params, query, body } = request as Pick<BankRequest, 'params' | 'query' | 'body'>;
  return { bank, params, query, body, now: bank.clock.now() };
}

function send(reply: FastifyReply, { status, body, contentType }: PspResponse): FastifyReply {
  reply.code(status);
  if (body === undefined) return reply.send();
  return reply
    .type(contentType ?? 'application/json')
    .send(typeof body === 'string' ? body : JSON.stringify(body));
}

function toErrorResponse(bank: Bank, error: unknown): PspResponse {
  const problem = toProblem(bank, error);
  return { status: problem.status, body: problem.body, contentType: 'application/problem+json' };
}

function toProblem(bank: Bank, error: unknown): PspProblem {
  if (error instanceof PspProblem) return error;
  if (error instanceof DatabaseUnavailable) return new PspProblem('ServicoIndisponivel');
  const { statusCode } = error as { statusCode?: number };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new PspProblem('RequisicaoInvalida', [], { status: statusCode });
  bank.log.error({ err: error }, 'the PSP simulator failed');
  return new PspProblem('ErroInternoDoServidor');
}

/** Some clients send a content type with a DELETE without a body. */
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
