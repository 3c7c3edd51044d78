import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import { DatabaseAway } from '../database/db.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import {
  badRequest,
  headersTooLarge,
  internalError,
  malformedJson,
  methodNotAllowed,
  notFound,
  Problem,
  payloadTooLarge,
  requestTimeout as requestTimedOut,
  unavailable,
  unsupportedMediaType,
  validationFailed,
} from '../problem.ts';
import type { Access } from './access.ts';
import { Addresses } from './addresses.ts';
import type { ApprovalRule } from './approval.ts';
import { wantsCsv } from './csv.ts';
import { addDefaultHeaders, defaultHeaders, requestId } from './default-headers.ts';
import { type Endpoint, isCsvToo } from './endpoint.ts';
import { etagOf } from './etag.ts';
import { installFastPath, type SyncGuard } from './fast-path.ts';
import { countHosts } from './host-header.ts';
import { maskerOf } from './personal.ts';
import { PROBLEM_TYPE, problemBody } from './problem-body.ts';
import { report } from './report.ts';
import { type ResponseCache, sendCached } from './response-cache.ts';
import {
  acceptEmptyBodies,
  ajvOptions,
  buildValidator,
  isTooMuch,
  MOST_MEMBERS,
  numberParameters,
  phoneFields,
  readNumbers,
  readPhones,
  refuseUnknownParameters,
  toProblem,
} from './validation.ts';

const BODY_LIMIT_BYTES = 64 * 1024;
/** The deadline for a whole request. */
const REQUEST_TIMEOUT_MS = 15_000;
/** How often Node checks for late requests. */
const LATE_CHECK_MS = 1_000;
/** Longer than the idle timeout of common load balancers, so that they close first and never use a closed connection. */
const KEEP_ALIVE_MS = 65_000;
const RETRY_AFTER_SECONDS = '2';
const NOTHING_HERE = { en: 'There is nothing at this address.', pt: 'Não há nada neste endereço.' };
const NO_HOST = { en: 'The header Host is missing.', pt: 'Falta o cabeçalho Host.' };
const SEVERAL_HOSTS = {
  en: 'The header Host is there more than once.',
  pt: 'O cabeçalho Host veio mais de uma vez.',
};

export type DoorOptions = {
  name: 'front' | 'staff';
  log: Log;
  metrics: Metrics;
  /** A function, because a free port is known only once the door listens. */
  publicUrl: () => string;
  https: boolean;
  /** Proxies whose X-Forwarded-For is trusted (`request.ip`). */
  trustProxy: string | false;
  /** Checks the caller against the endpoint's `access`; throws a Problem. Returns nothing if it was decided synchronously. */
  guard: (request: FastifyRequest, reply: FastifyReply, access: Access) => Promise<void> | undefined;
  /** The same check, where memory alone is enough. */
  guardSync?: SyncGuard;
  /**
   * Called before an error is answered with a 500. Returns the problem to answer instead, if something else explains the error.
   * `begunAtMs`: when the request began, on the monotonic clock.
   */
  excuse?: (begunAtMs: number) => Promise<Problem | undefined>;
  /** Answers a CORS preflight, which has no key. */
  preflight?: (request: FastifyRequest, reply: FastifyReply) => void;
  /** Records who downloads a list as CSV. */
  recordExport?: (request: FastifyRequest) => Promise<void>;
  /** Answers 202 to an act that has to wait for a second person. */
  hold?: (request: FastifyRequest, reply: FastifyReply, rule: ApprovalRule<FastifyRequest>) => Promise<void>;
  requestTimeoutMs?: number;
};

export type Door = {
  server: FastifyInstance;
  endpoints: Endpoint[];
  mount(endpoints: Endpoint[]): void;
  /** Answers 405 for other methods at addresses that a plugin serves with GET. */
  readOnly(...urls: string[]): void;
};

/** One of the two HTTP servers. Every answer has the same headers, errors included. */
export function openDoor(options: DoorOptions): Door {
  const headers = defaultHeaders(options.https);
  const requestTimeout = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const server = Fastify({
    logger: false,
    // Refused below, with our headers, which Node's own refusal lacks.
    http: {
      requireHostHeader: false,
      // The defaults are a minute and half a minute, and would decide how long a slow request lives.
      requestTimeout,
      headersTimeout: requestTimeout,
      connectionsCheckingInterval: LATE_CHECK_MS,
    },
    genReqId: (request) => requestId(request.headers['x-request-id']),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: options.trustProxy,
    requestTimeout,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: false },
    ajv: ajvOptions,
    schemaController: { compilersFactory: { buildValidator } },
    // No hook runs for these: an address that cannot be decoded, or is too long.
    frameworkErrors(error, request, reply) {
      reply.headers(headers).header('x-request-id', request.id);
      reply.raw.once('finish', () => reportReply(options, request, reply));
      answerError(options, error, request, reply);
    },
    clientErrorHandler: (error, socket) => answerClientError(options, headers, error, socket),
  });
  // An unknown Expect header is ignored (RFC 9110 allows it); Node's own 417 would lack our headers.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  );
  // Only JSON is read: the other built-in parser would accept text.
  server.removeContentTypeParser('text/plain');
  acceptEmptyBodies(server);

  server.decorateRequest('caller', null as never);
  server.decorateRequest('notFound', function (this: FastifyRequest) {
    return notFound(this.routeOptions.config.notFound ?? NOTHING_HERE);
  });
  addDefaultHeaders(server, headers);
  server.addHook('onRequest', (request, _reply, done) => {
    const hosts = countHosts(request.raw);
    if (hosts > 1) return done(badRequest(SEVERAL_HOSTS));
    return done(hosts === 0 && request.raw.httpVersion === '1.1' ? badRequest(NO_HOST) : undefined);
  });
  const addresses = new Addresses();
  server.decorateRequest('address', '');
  server.addHook('onRequest', (request, reply, done) => {
    const found = request.is404 && addresses.find(request.raw.url!);
    if (!found) return done(request.is404 ? refusalOfSlash(addresses, request.raw.url!) : undefined);
    request.address = found.url;
    return refuseMethod(options, found.allow, request, reply, done);
  });
  server.addHook('onResponse', (request, reply, done) => {
    reportReply(options, request, reply);
    done();
  });
  server.setErrorHandler((error, request, reply) => {
    const { excuse } = options;
    if (!excuse || toKnownProblem(error as Error, request).kind !== internalError.kind)
      return answerError(options, error as Error, request, reply);
    return excuse(performance.now() - reply.elapsedTime).then((problem) => {
      if (problem) options.log.warn({ err: error, request_id: request.id }, 'request was overtaken');
      return answerError(options, problem ?? (error as Error), request, reply);
    });
  });
  server.setNotFoundHandler((request, reply) => answerError(options, notFound(NOTHING_HERE), request, reply));

  const endpoints: Endpoint[] = [];
  const responseCaches = new Set<ResponseCache>();
  if (options.guardSync)
    installFastPath(server, responseCaches, { ...options, guardSync: options.guardSync });
  return {
    server,
    endpoints,
    mount(more) {
      endpoints.push(...more);
      for (const { cache } of more) if (cache) responseCaches.add(cache);
      for (const spec of more) mountEndpoint(server, options, spec);
      const methodsAt = Map.groupBy(more, (spec) => spec.url);
      for (const [url, specs] of methodsAt)
        addresses.add(
          url,
          specs.map(({ method }) => method),
        );
      for (const url of methodsAt.keys()) {
        if (!addresses.isCovered(url)) continue;
        const { allow } = addresses.find(url)!;
        server.route({
          method: server.supportedMethods.filter((method) => !allow.split(', ').includes(method)),
          url,
          onRequest: (request, reply, done) => refuseMethod(options, allow, request, reply, done),
          handler: () => undefined,
        });
      }
    },
    readOnly(...urls) {
      for (const url of urls) addresses.add(url, ['GET']);
    },
  };
}

function mountEndpoint(server: FastifyInstance, options: DoorOptions, spec: Endpoint): void {
  const numbers = numberParameters(spec.query);
  const phones = phoneFields(spec.body);
  const mustBeKnown =
    spec.access !== 'open' && spec.access.scope === 'operator'
      ? refuseUnknownParameters(spec.query)
      : undefined;
  const noStore = spec.cache === undefined && spec.access !== 'open';
  const statuses = Object.keys(spec.answers).map(Number);
  const only = statuses.length === 1 ? statuses[0] : undefined;
  server.route({
    method: spec.method,
    url: spec.url,
    ...(spec.bodyLimitBytes !== undefined && { bodyLimit: spec.bodyLimitBytes }),
    config: {
      access: spec.access,
      operation: spec.id,
      ...(spec.notFound !== undefined && { notFound: spec.notFound }),
    },
    schema: {
      ...(spec.params && { params: spec.params }),
      ...(spec.query && { querystring: spec.query }),
      ...(spec.body && { body: spec.body }),
      ...(spec.headers && { headers: spec.headers }),
    },
    schemaErrorFormatter: (faults, place) => refusal(spec, faults, place),
    onRequest(request, reply, done) {
      const go = () => {
        mustBeKnown?.(request.query as object);
        if (noStore) reply.header('cache-control', 'no-store');
        const cached = spec.cache?.get(request.raw.url!);
        if (cached) sendCached(request, reply, cached);
        else if (spec.rawBody) answerUnread(spec, request, reply).catch(done);
        else done();
      };
      try {
        const waiting = options.guard(request, reply, spec.access);
        if (waiting) waiting.then(go).catch(done);
        else go();
      } catch (refusal) {
        done(refusal as Error);
      }
    },
    ...((numbers.length > 0 || spec.body) && {
      preValidation(request, _reply, done) {
        readNumbers(request.query as Record<string, unknown>, numbers);
        if (spec.bodyOptional && request.body === undefined) request.body = {};
        readPhones(request.body, phones);
        done(spec.body && refusalOfBody(request.body));
      },
    }),
    ...((isCsvToo(spec) || spec.approval) && {
      async preHandler(request, reply) {
        if (isCsvToo(spec) && wantsCsv(request)) await options.recordExport?.(request);
        if (spec.approval)
          await options.hold?.(request, reply, spec.approval as ApprovalRule<FastifyRequest>);
      },
    }),
    ...(isMasked(spec) && {
      async preSerialization(request, reply, payload) {
        const schema = spec.answers[reply.statusCode]?.schema;
        const masker = schema && maskerOf(schema);
        const shown = masker ? masker(payload, request.caller.role) : payload;
        // The ETag of what is masked must not let it be guessed.
        if (reply.hasHeader('etag')) reply.header('etag', etagOf(shown));
        return shown;
      },
    }),
    handler(request, reply) {
      if (only !== undefined) reply.code(only);
      if (spec.notFound !== undefined) return answerFound(spec, request, reply);
      return spec.handler(request as never, reply as never);
    },
  });
}

/** Whether something of what it answers is for some roles only. */
const isMasked = ({ answers }: Endpoint): boolean =>
  Object.values(answers).some(({ schema }) => schema && maskerOf(schema));

async function answerFound(spec: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const body = await spec.handler(request as never, reply as never);
  if (reply.sent || reply.raw.headersSent) return body;
  const answers = Object.values(spec.answers);
  if (body === undefined && answers.every(({ schema }) => schema)) throw request.notFound();
  if (answers[0]?.etag && !reply.hasHeader('etag')) reply.header('etag', etagOf(body));
  return body;
}

/** A malformed id is answered like an unknown one. */
const refusal = (spec: Endpoint, faults: FastifySchemaValidationError[], place: string): Problem =>
  place === 'params' ? notFound(spec.notFound ?? NOTHING_HERE) : toProblem(faults, place);

/** Answers before Fastify reads the body and calls the handler. */
async function answerUnread(spec: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const given = { params: request.params, querystring: request.query, headers: request.headers };
  for (const place of ['params', 'querystring', 'headers'] as const) {
    const validate = request.getValidationFunction(place);
    if (validate?.(given[place]) === false) throw refusal(spec, validate.errors ?? [], place);
  }
  const payload = await answerFound(spec, request, reply);
  if (!reply.sent) reply.send(payload);
}

function refusalOfBody(body: unknown): Problem | undefined {
  if (body === undefined) return malformedJson('empty');
  if (!isTooMuch(body)) return undefined;
  const message = {
    en: `must have at most ${MOST_MEMBERS} fields and elements in all`,
    pt: `deve ter no máximo ${MOST_MEMBERS} campos e elementos ao todo`,
  };
  return validationFailed([{ pointer: '', message }], {
    en: 'The body has too many fields.',
    pt: 'O corpo da requisição tem campos demais.',
  });
}

/**
 * A method that is not served at a known address: OPTIONS lists the methods, others get 405. Decided before the body is read or
 * the key is checked.
 */
function refuseMethod(
  options: DoorOptions,
  allow: string,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (refusal?: Error) => void,
): void {
  reply.header('allow', allow);
  if (request.method !== 'OPTIONS') {
    done(methodNotAllowed(request.method, allow));
    return;
  }
  options.preflight?.(request, reply);
  reply.code(204).send();
}

/** An address with a trailing slash: the answer names the right address. */
function refusalOfSlash(addresses: Addresses, target: string): Problem | undefined {
  const [path = ''] = target.split('?', 1);
  const meant = path.replace(/\/+$/, '');
  if (meant === path || !addresses.find(meant)) return undefined;
  return notFound({
    en: `${NOTHING_HERE.en} The path is ${meant}, without a slash at the end.`,
    pt: `${NOTHING_HERE.pt} O caminho é ${meant}, sem barra no fim.`,
  });
}

function answerError(
  options: DoorOptions,
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = toKnownProblem(error, request);
  if (problem.kind === internalError.kind) {
    options.log.error(
      { err: error, request_id: request.id, route: request.routeOptions?.url },
      'request failed',
    );
  }
  return reply
    .code(problem.kind.status)
    .headers({ ...problem.kind.headers, ...problem.detail.headers })
    .header('content-type', PROBLEM_TYPE)
    .header('cache-control', 'no-store')
    .send(problemBody(problem, options.publicUrl(), request.id, request.headers['accept-language']));
}

function toKnownProblem(error: Error, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DatabaseAway) {
    return unavailable({
      en: 'The database is away. Try again in a moment.',
      pt: 'O banco de dados está fora do ar. Tente de novo em instantes.',
      headers: { 'retry-after': RETRY_AFTER_SECONDS },
    });
  }
  const { code, statusCode } = error as Error & { code?: string; statusCode?: number };
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return payloadTooLarge(request.routeOptions.bodyLimit);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedMediaType();
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return malformedJson('empty');
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return malformedJson('malformed');
    case 'FST_ERR_BAD_URL':
      return badRequest({
        en: 'The address is not well percent-encoded.',
        pt: 'O endereço tem caracteres mal codificados (percent-encoding).',
      });
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notFound(NOTHING_HERE);
  }
  // A media file that is not served (a directory, a dotfile) is answered like a missing one.
  if (statusCode === 403) return notFound(NOTHING_HERE);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return badRequest({ en: 'The request is not well-formed.', pt: 'A requisição está malformada.' });
  return internalError();
}

/** A request that Node's parser refuses: the answer with our headers is written by hand. */
function answerClientError(
  options: DoorOptions,
  defaultHeaders: Record<string, string>,
  error: Error & { code?: string },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? headersTooLarge()
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? requestTimedOut()
        : badRequest({
            en: 'This is not a well-formed HTTP request.',
            pt: 'Esta não é uma requisição HTTP bem formada.',
          });
  const id = randomUUID();
  const body = problemBody(problem, options.publicUrl(), id);
  const headers = {
    ...defaultHeaders,
    'x-request-id': id,
    'content-type': PROBLEM_TYPE,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.kind.status} ${problem.kind.title.en}\r\n${lines.join('')}\r\n${body}`);
}

function reportReply(options: DoorOptions, request: FastifyRequest, reply: FastifyReply): void {
  const { id, method, caller } = request;
  const route = request.routeOptions.url ?? (request.address || '(none)');
  report(options, { id, method, route, status: reply.statusCode, elapsedMs: reply.elapsedTime, caller });
}
