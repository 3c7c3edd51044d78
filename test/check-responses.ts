import type { IncomingMessage, ServerResponse } from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import { parseReais } from '#core/values/money.ts';
import type { ApiServer } from '#platform/http/api-server.ts';
import {
  type Endpoint,
  listResponses,
  type ResponseSpec,
  returnsNotModified,
} from '#platform/http/endpoint.ts';
import { type CallerProblems, listProblems } from '#platform/http/openapi.ts';
import { query } from './query.ts';

type SentResponse = { status: number; contentType: string; text: string; isHead: boolean };

/**
 * Compares every response of an API server with the declaration of its endpoint: status, content type, body, and the code of a problem.
 * It reads what is written to the socket, so that no response is missed. `onDifference` is called with each difference.
 */
export function checkResponses(
  api: ApiServer,
  callerProblems: CallerProblems,
  onDifference: (difference: string) => void,
): void {
  const findEndpoint = createEndpointFinder(api.endpoints);
  api.fastify.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const spec = findEndpoint(request.method!, request.url!.replace(/\?.*/, ''));
    if (!spec) return;
    const chunks = collectWrittenChunks(response);
    // A stream of events ends when the client disconnects.
    response.once('close', () => {
      if (!response.headersSent) return;
      const contentType = readContentType(response);
      if (!response.writableFinished && !contentType.startsWith('text/event-stream')) return;
      const difference = findDifference(
        spec,
        {
          status: response.statusCode,
          contentType,
          text: Buffer.concat(chunks).toString(),
          isHead: request.method === 'HEAD',
        },
        callerProblems,
      );
      if (difference)
        onDifference(`${request.method} ${spec.url} responded ${response.statusCode}: ${difference}`);
    });
  });
}

/** Returns a function that finds the endpoint of a request. */
function createEndpointFinder(endpoints: Endpoint[]): (method: string, path: string) => Endpoint | undefined {
  const routes = endpoints.map((spec) => ({
    spec,
    pattern: new RegExp(`^${spec.url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`),
  }));
  return (method, path) => {
    const routeMethod = method === 'HEAD' ? 'GET' : method;
    // Like the router, prefers a path without parameters to a pattern, whatever the method.
    const exactMatches = endpoints.filter(({ url }) => url === path);
    if (exactMatches.length > 0) return exactMatches.find((spec) => spec.method === routeMethod);
    return routes.find(({ spec, pattern }) => spec.method === routeMethod && pattern.test(path))?.spec;
  };
}

/** Collects the bytes written to the response. */
function collectWrittenChunks(response: ServerResponse): Buffer[] {
  const chunks: Buffer[] = [];
  const { write, end } = response;
  const saveChunk = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  response.write = (...args: unknown[]) => {
    saveChunk(args[0]);
    return write.apply(response, args as never);
  };
  response.end = (...args: unknown[]) => {
    saveChunk(args[0]);
    return end.apply(response, args as never);
  };
  return chunks;
}

/** Reads the content type from the header block that Node sent. */
const readContentType = (response: ServerResponse & { _header?: string }): string =>
  /^content-type: (.*)$/im.exec(response._header ?? '')?.[1] ?? '';

function findDifference(
  spec: Endpoint,
  sentResponse: SentResponse,
  callerProblems: CallerProblems,
): string | undefined {
  const { status, contentType, text } = sentResponse;
  const declaredResponse = listResponses(spec)[status];
  if (declaredResponse)
    return sentResponse.isHead ? undefined : findResponseDifference(declaredResponse, sentResponse);
  if (status === 304 && returnsNotModified(spec)) return text === '' ? undefined : 'it has a body';
  if (!contentType.startsWith('application/problem+json')) return 'the status is not declared';
  if (sentResponse.isHead) return undefined;
  const { code } = JSON.parse(text) as { code: string };
  const isDeclared = listProblems(spec, callerProblems).some(
    ({ kind }) => kind.status === status && kind.code === code,
  );
  return isDeclared ? undefined : `the problem ${code} is not declared`;
}

function findResponseDifference(
  declaredResponse: ResponseSpec,
  { contentType, text }: SentResponse,
): string | undefined {
  const { schema } = declaredResponse;
  if (declaredResponse.json && contentType.startsWith('application/json'))
    return validateBody(declaredResponse.json, JSON.parse(text));
  if (!schema && !declaredResponse.contentType) return text === '' ? undefined : 'a body is not declared';
  if (declaredResponse.csv && contentType.startsWith('text/csv')) return undefined;
  const declaredType = declaredResponse.contentType ?? 'application/json';
  // 'image/*' matches any image type.
  if (!contentType.startsWith(declaredType.replace(/\*$/, '')))
    return `the content type is ${contentType}, not ${declaredType}`;
  if (!schema) return undefined;
  const bodies = declaredType === 'text/event-stream' ? parseEvents(text) : [text];
  return bodies.map((body) => validateBody(schema, JSON.parse(body))).find(Boolean);
}

/** Parses the data of every complete event. */
function parseEvents(stream: string): string[] {
  const blocks = stream.split('\n\n').slice(0, -1);
  return blocks.flatMap((block) => /^data: (.*)$/m.exec(block)?.[1] ?? []);
}

// Most validators run a few times only: compiling them without optimization costs less.
const ajv = addFormats.default(
  new Ajv2020({ strict: false, allErrors: true, validateFormats: true, code: { optimize: false } }),
);
ajv.addFormat('reais', { type: 'number', validate: (amount) => parseReais(amount) !== null });
type Validator = ReturnType<typeof ajv.compile>;
const validators = new WeakMap<TSchema, Validator>();
/** Keyed by the JSON of the schema, because each service of a process builds some schemas again. */
const validatorsByJson = new Map<string, Validator>();

function compileOnce(schema: TSchema): Validator {
  const closedSchema = closeSchema(schema) as object;
  const text = JSON.stringify(closedSchema);
  const validate = validatorsByJson.get(text) ?? ajv.compile(closedSchema);
  validatorsByJson.set(text, validate);
  return validate;
}

function validateBody(schema: TSchema, body: unknown): string | undefined {
  const validate = validators.get(schema) ?? compileOnce(schema);
  validators.set(schema, validate);
  if (validate(body)) return undefined;
  return `${ajv.errorsText(validate.errors, { dataVar: 'the body' })}: ${JSON.stringify(body).slice(0, 500)}`;
}

/** Returns the schema with undeclared fields rejected in every object. Clients ignore such fields, but here they are differences. */
function closeSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $id: _, ...keywords } = schema as Record<string, unknown>;
  const closedKeywords = Object.fromEntries(
    Object.entries(keywords).map(([name, value]) => [name, closeSchema(value)]),
  );
  return 'properties' in keywords && !('additionalProperties' in keywords)
    ? { ...closedKeywords, additionalProperties: false }
    : closedKeywords;
}

const CHANGING_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Checks that every change in the staff API has an audit trail entry when its response is sent. `onDifference` is called for each missing entry. */
export function checkAuditTrail(
  server: FastifyInstance,
  databaseUrl: string,
  onDifference: (difference: string) => void,
): void {
  server.addHook('onSend', async (request, reply) => {
    const { method } = request;
    const { url } = request.routeOptions;
    const isChange = CHANGING_METHODS.includes(method) && reply.statusCode < 300;
    if (!isChange || !url?.startsWith('/admin/') || reply.getHeader('idempotency-replayed')) return;
    // These endpoints only simulate a change.
    if (url.endsWith('/try')) return;
    if ((request.body as { dry_run?: boolean } | undefined)?.dry_run) return;
    if ((request.query as { dry_run?: string }).dry_run === 'true') return;
    // The query fails if a test has stopped the database since the commit.
    const auditEntries = await query(databaseUrl, 'select from audit_trail where request_id = $1', [
      request.id,
    ]).catch(() => undefined);
    if (auditEntries?.length === 0) onDifference(`${method} ${url} left no audit trail entry`);
  });
}
