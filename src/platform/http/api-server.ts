import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Fastify from 'fastify';
import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import { pluck } from '../database/db.ts';
import type { Log } from '../observability/log.ts';
import { type Metrics, recordRequest } from '../observability/metrics.ts';
import {
  badRequest,
  headersTooLarge,
  internalError,
  invalidField,
  malformedJson,
  methodNotAllowed,
  notFound,
  type Problem,
  requestTimeout as requestTimedOut,
} from '../problem.ts';
import type { Access, CallerRole } from './access.ts';
import { AllowedMethods } from './allowed-methods.ts';
import type { ApprovalRule, ApprovalView } from './approval.ts';
import { wantsCsv } from './csv.ts';
import { addDefaultHeaders, buildDefaultHeaders, chooseRequestId, countHosts } from './default-headers.ts';
import { type Endpoint, returnsNotModified, supportsCsv } from './endpoint.ts';
import { computeEtag } from './etag.ts';
import { installFastPath, type SyncGuard } from './fast-path.ts';
import { acceptJsonBodies } from './json-body.ts';
import { findMasker } from './masking.ts';
import { buildProblemBody, PROBLEM_TYPE, RESOURCE_NOT_FOUND, toProblem } from './problem-body.ts';
import { closeUnreadConnections } from './raw-body.ts';
import { isNotModified, type ResponseCache, sendCached } from './response-cache.ts';
import {
  ajvOptions,
  buildValidator,
  hasTooManyMembers,
  listNumberParameters,
  listPhoneFields,
  MAX_BODY_MEMBERS,
  normalizePhones,
  parseNumbers,
  refuseUnknownParameters,
  removeAbsentFields,
  toValidationProblem,
} from './validation.ts';

const BODY_LIMIT_BYTES = 64 * 1024;
const REQUEST_TIMEOUT_MS = 15_000;
/** The interval at which Node checks for requests that exceed the time limit. */
const TIMEOUT_CHECK_INTERVAL_MS = 1_000;
/** This is longer than the idle timeout of common load balancers, so that they close connections first and never reuse a closed one. */
const KEEP_ALIVE_MS = 65_000;
const MISSING_HOST = { en: 'The Host header is missing.', pt: 'Falta o cabeçalho Host.' };
const SEVERAL_HOSTS = {
  en: 'The Host header appears more than once.',
  pt: 'O cabeçalho Host veio mais de uma vez.',
};

export type ApiServerOptions = {
  /** The label of this API server in metrics and logs. The partner API is `front`. */
  name: 'front' | 'staff';
  log: Log;
  metrics: Metrics;
  /** Returns the public URL. It is a function, because a free port is known only when the server listens. */
  publicUrl: () => string;
  https: boolean;
  /** Proxies whose X-Forwarded-For header is trusted (`request.ip`). */
  trustProxy: string | false;
  /** Checks the caller against the endpoint's `access` and throws a Problem on failure. Returns undefined if it decided synchronously. */
  guard: (request: FastifyRequest, reply: FastifyReply, access: Access) => Promise<void> | undefined;
  guardSync?: SyncGuard;
  /** Returns the problem to respond with instead of a 500, if something else explains the failure, such as a reset of the sandbox. `startedAtMs` is on the monotonic clock. */
  explainFailure?: (startedAtMs: number) => Promise<Problem | undefined>;
  /** Adds the CORS headers to the response to an OPTIONS request. */
  preflight?: (request: FastifyRequest, reply: FastifyReply) => void;
  /** Lets pages of any origin read a response that was sent without checking a key, such as a 401 or 404. */
  allowAnyOrigin?: (request: FastifyRequest, reply: FastifyReply) => void;
  /** Records in the audit trail that the caller downloads a list as CSV. */
  recordExport?: (request: FastifyRequest) => Promise<void>;
  /** Responds with 202 and stores the request instead, if the action requires the approval of a second person. */
  holdForApproval?: (
    request: FastifyRequest,
    reply: FastifyReply,
    rule: ApprovalRule<FastifyRequest>,
  ) => Promise<void>;
  findPendingApproval?: (
    subject: { kind: string; id: string },
    role: CallerRole,
  ) => Promise<ApprovalView | undefined>;
  requestTimeoutMs?: number;
};

export type ApiServer = ReturnType<typeof createApiServer>;

export function createApiServer(options: ApiServerOptions) {
  const headers = buildDefaultHeaders(options.https);
  const requestTimeout = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const fastify = Fastify({
    logger: false,
    // A missing Host header is refused below with our headers, which Node's own refusal lacks.
    http: {
      requireHostHeader: false,
      // Node's defaults, one minute and half a minute, would otherwise limit slow requests.
      requestTimeout,
      headersTimeout: requestTimeout,
      connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
    },
    genReqId: (request) => chooseRequestId(request.headers['x-request-id']),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: options.trustProxy,
    requestTimeout,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: false },
    ajv: ajvOptions,
    schemaController: { compilersFactory: { buildValidator } },
    // Fastify runs no hooks for URLs that cannot be decoded or are too long.
    frameworkErrors(error, request, reply) {
      reply.headers(headers).header('x-request-id', request.id);
      reply.raw.once('finish', () => recordReply(options, request, reply));
      sendError(options, error, request, reply);
    },
    clientErrorHandler: (error, socket) => sendClientError(options, headers, error, socket),
  });
  // An unknown Expect header is ignored, which RFC 9110 allows: Node's own 417 would lack our headers.
  fastify.server.on('checkExpectation', (request, response) =>
    fastify.server.emit('request', request, response),
  );
  // Only JSON bodies are accepted; Fastify's other built-in parser would accept plain text.
  fastify.removeContentTypeParser('text/plain');
  acceptJsonBodies(fastify);

  fastify.decorateRequest('caller', null as never);
  fastify.decorateRequest('actionRecorder', undefined);
  fastify.decorateRequest('notFound', function (this: FastifyRequest) {
    return notFound(this.routeOptions.config.notFound ?? RESOURCE_NOT_FOUND);
  });
  addDefaultHeaders(fastify, headers);
  closeUnreadConnections(fastify);
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    if (request.caller === null) options.allowAnyOrigin?.(request, reply);
    done();
  });
  fastify.addHook('onRequest', (request, _reply, done) => {
    const hostCount = countHosts(request.raw);
    if (hostCount > 1) return done(badRequest(SEVERAL_HOSTS));
    return done(hostCount === 0 && request.raw.httpVersion === '1.1' ? badRequest(MISSING_HOST) : undefined);
  });
  const allowedMethods = new AllowedMethods();
  fastify.decorateRequest('allowedUrl', '');
  fastify.addHook('onRequest', (request, reply, done) => {
    const allowedUrl = request.is404 && allowedMethods.find(request.raw.url!);
    if (!allowedUrl)
      return done(request.is404 ? explainTrailingSlash(allowedMethods, request.raw.url!) : undefined);
    request.allowedUrl = allowedUrl.url;
    return refuseMethod(options, allowedUrl.allowHeader, request, reply, done);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    recordReply(options, request, reply);
    done();
  });
  fastify.setErrorHandler((error, request, reply) => {
    const { explainFailure } = options;
    if (!explainFailure || toProblem(error as Error, request).kind !== internalError.kind)
      return sendError(options, error as Error, request, reply);
    return explainFailure(performance.now() - reply.elapsedTime).then((problem) => {
      if (problem)
        options.log.warn({ err: error, request_id: request.id }, 'request failed for another reason');
      return sendError(options, problem ?? (error as Error), request, reply);
    });
  });
  fastify.setNotFoundHandler((request, reply) =>
    sendError(options, notFound(RESOURCE_NOT_FOUND), request, reply),
  );

  const endpoints: Endpoint[] = [];
  const responseCaches = new Set<ResponseCache>();
  if (options.guardSync)
    installFastPath(fastify, responseCaches, { ...options, guardSync: options.guardSync });
  return {
    fastify,
    endpoints,
    mount(newEndpoints: Endpoint[]): void {
      endpoints.push(...newEndpoints);
      for (const { cache } of newEndpoints) if (cache) responseCaches.add(cache);
      for (const spec of newEndpoints) mountEndpoint(fastify, options, spec);
      const endpointsByUrl = Map.groupBy(newEndpoints, (spec) => spec.url);
      for (const [url, specs] of endpointsByUrl) allowedMethods.add(url, pluck(specs, 'method'));
      for (const url of endpointsByUrl.keys()) {
        if (!allowedMethods.overlapsPattern(url)) continue;
        // Without this route, a method that the URL does not allow would reach the endpoint of the pattern.
        const { allowHeader } = allowedMethods.find(url)!;
        fastify.route({
          method: fastify.supportedMethods.filter((method) => !allowHeader.split(', ').includes(method)),
          url,
          onRequest: (request, reply, done) => refuseMethod(options, allowHeader, request, reply, done),
          handler: () => undefined,
        });
      }
    },
    /** Responds with 405 to other methods at URLs that a plugin serves with GET. */
    allowOnlyGet(...urls: string[]): void {
      for (const url of urls) allowedMethods.add(url, ['GET']);
    },
  };
}

function mountEndpoint(fastify: FastifyInstance, options: ApiServerOptions, spec: Endpoint): void {
  const numberParameters = listNumberParameters(spec.query);
  const phoneFields = listPhoneFields(spec.body);
  // A PSP may add parameters to the URL that it calls.
  const refuseUnknownQuery = spec.access === 'open' ? undefined : refuseUnknownParameters(spec.query);
  const forbidsCaching = spec.cache === undefined && spec.access !== 'open';
  const statuses = Object.keys(spec.responses).map(Number);
  const onlyStatus = statuses.length === 1 ? statuses[0] : undefined;
  fastify.route({
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
    schemaErrorFormatter: (errors, location) => toInputProblem(spec, errors, location),
    onRequest(request, reply, done) {
      const continueRequest = () => {
        refuseUnknownQuery?.(request.query as object);
        if (forbidsCaching) reply.header('cache-control', 'no-store');
        const cachedResponse = spec.cache?.get(request.raw.url!);
        if (cachedResponse) sendCached(request, reply, cachedResponse);
        else if (spec.rawBody) respondBeforeBody(spec, request, reply).catch(done);
        else done();
      };
      try {
        const guardPromise = options.guard(request, reply, spec.access);
        if (guardPromise) guardPromise.then(continueRequest).catch(done);
        else continueRequest();
      } catch (error) {
        done(error as Error);
      }
    },
    ...((numberParameters.length > 0 || spec.body) && {
      preValidation(request, _reply, done) {
        parseNumbers(request.query as Record<string, unknown>, numberParameters);
        if (spec.bodyOptional && request.body === undefined) request.body = {};
        if (spec.body) removeAbsentFields(request.body, spec.body, spec);
        normalizePhones(request.body, phoneFields);
        done(spec.body && checkBody(request.body));
      },
    }),
    ...((supportsCsv(spec) || spec.approval) && {
      async preHandler(request, reply) {
        if (supportsCsv(spec) && wantsCsv(request)) await options.recordExport?.(request);
        if (spec.approval)
          await options.holdForApproval?.(request, reply, spec.approval as ApprovalRule<FastifyRequest>);
      },
    }),
    ...((isMasked(spec) || spec.approvalOf) && {
      async preSerialization(request, reply, payload) {
        const schema = spec.responses[reply.statusCode]?.schema;
        const masker = schema && findMasker(schema);
        const maskedBody = masker ? masker(payload, request.caller.role) : payload;
        // The ETag is computed from the masked body, so that masked values cannot be guessed from it.
        if (masker && reply.hasHeader('etag')) reply.header('etag', computeEtag(maskedBody));
        if (!spec.approvalOf || !schema) return maskedBody;
        const resource = maskedBody as Readonly<Record<string, unknown>>;
        const { kind, ...approvalSubject } = spec.approvalOf;
        const id = 'id' in approvalSubject ? approvalSubject.id : String(resource[approvalSubject.idField]);
        // The approval is not part of the ETag, because it changes nothing that a later change would overwrite.
        const approval = await options.findPendingApproval?.({ kind, id }, request.caller.role);
        return approval ? { ...resource, approval } : maskedBody;
      },
    }),
    handler(request, reply) {
      if (onlyStatus !== undefined) reply.code(onlyStatus);
      if (spec.notFound !== undefined) return callHandler(spec, request, reply);
      return spec.handler(request as never, reply as never);
    },
  });
}

const isMasked = ({ responses }: Endpoint): boolean =>
  Object.values(responses).some(({ schema }) => schema && findMasker(schema));

/** Calls the handler. Throws the 404 if it returns nothing, and adds the ETag that the response declares. */
async function callHandler(spec: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const body = await spec.handler(request as never, reply as never);
  if (reply.sent || reply.raw.headersSent) return body;
  const responses = Object.values(spec.responses);
  if (body === undefined && responses.every(({ schema }) => schema)) throw request.notFound();
  const [firstResponse] = responses;
  if (!firstResponse?.etag || reply.hasHeader('etag')) return body;
  const etag = computeEtag(body);
  reply.header('etag', etag);
  const isCurrent = returnsNotModified(spec) && isNotModified({ etag }, request.headers['if-none-match']);
  return isCurrent ? reply.code(304).send() : body;
}

/** Creates the problem for invalid input. A malformed id gets the same response as an unknown id. */
const toInputProblem = (spec: Endpoint, errors: FastifySchemaValidationError[], location: string): Problem =>
  location === 'params'
    ? notFound(spec.notFound ?? RESOURCE_NOT_FOUND)
    : toValidationProblem(errors, location);

/** Validates the request and calls the handler before Fastify reads the body. */
async function respondBeforeBody(
  spec: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const inputs = { params: request.params, querystring: request.query, headers: request.headers };
  for (const location of ['params', 'querystring', 'headers'] as const) {
    const validate = request.getValidationFunction(location);
    if (validate?.(inputs[location]) === false) throw toInputProblem(spec, validate.errors ?? [], location);
  }
  const payload = await callHandler(spec, request, reply);
  if (!reply.sent) reply.send(payload);
}

function checkBody(body: unknown): Problem | undefined {
  if (body === undefined) return malformedJson('empty');
  if (!hasTooManyMembers(body)) return undefined;
  const message = {
    en: `must have at most ${MAX_BODY_MEMBERS} fields and elements in all`,
    pt: `deve ter no máximo ${MAX_BODY_MEMBERS} campos e elementos ao todo`,
  };
  return invalidField('', message, {
    en: 'The body has too many fields.',
    pt: 'O corpo da requisição tem campos demais.',
  });
}

/** Responds to OPTIONS with the allowed methods and to other methods with 405, before the body is read and the API key is checked. */
function refuseMethod(
  options: ApiServerOptions,
  allow: string,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  reply.header('allow', allow);
  if (request.method !== 'OPTIONS') {
    done(methodNotAllowed(request.method, allow));
    return;
  }
  options.preflight?.(request, reply);
  reply.code(204).send();
}

/** Returns a 404 that names the correct path, if only a trailing slash is wrong. */
function explainTrailingSlash(allowedMethods: AllowedMethods, requestTarget: string): Problem | undefined {
  const [path = ''] = requestTarget.split('?', 1);
  const correctPath = path.replace(/\/+$/, '');
  if (correctPath === path || !allowedMethods.find(correctPath)) return undefined;
  return notFound({
    en: `${RESOURCE_NOT_FOUND.en} The path is ${correctPath}, without a trailing slash.`,
    pt: `${RESOURCE_NOT_FOUND.pt} O caminho é ${correctPath}, sem barra no fim.`,
  });
}

function sendError(
  options: ApiServerOptions,
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = toProblem(error, request);
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
    .send(buildProblemBody(problem, options.publicUrl(), request.id, request.headers['accept-language']));
}

const PARSER_PROBLEMS: Record<string, () => Problem> = {
  HPE_HEADER_OVERFLOW: headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: requestTimedOut,
};
const NOT_WELL_FORMED = {
  en: 'This is not a well-formed HTTP request.',
  pt: 'Esta não é uma requisição HTTP bem formada.',
};

/** Handles a request that Node's parser rejects. The response is written to the socket by hand, with our headers. */
function sendClientError(
  options: ApiServerOptions,
  defaultHeaders: Record<string, string>,
  error: Error & { code?: string },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = PARSER_PROBLEMS[error.code ?? '']?.() ?? badRequest(NOT_WELL_FORMED);
  const id = randomUUID();
  const body = buildProblemBody(problem, options.publicUrl(), id);
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

function recordReply(options: ApiServerOptions, request: FastifyRequest, reply: FastifyReply): void {
  const { id, method, caller } = request;
  const route = request.routeOptions.url ?? (request.allowedUrl || '(none)');
  recordRequest(options, {
    id,
    method,
    route,
    status: reply.statusCode,
    elapsedMs: reply.elapsedTime,
    caller,
  });
}
