import type { TSchema } from 'typebox';
import {
  badRequest,
  bodyProblems,
  headersTooLarge,
  internalError,
  notFound,
  type ProblemMaker,
  requestTimeout,
  unavailable,
  validationFailed,
} from '../problem.ts';
import { API_VERSION } from './default-headers.ts';
import { type Endpoint, listResponses, returnsNotModified } from './endpoint.ts';
import { ETAG_HEADER } from './etag.ts';
import { adaptForClients } from './schemas-for-clients.ts';
import { buildSecurity, buildSecuritySchemes, mayRequireMember, requiresCustomer } from './security.ts';
import { compareByTag, findTag, type Tag } from './tags.ts';

type Json = Record<string, unknown>;

/** Components that operations reference by name. */
type Components = { schemas: Record<string, Json>; responses: Record<string, Json> };

export type WebhookSpec = {
  /** The type of the event, such as 'checkout.paid'. */
  readonly name: string;
  readonly id: string;
  readonly description: string;
  readonly schema: TSchema;
};

type OpenApiInput = {
  endpoints: Endpoint[];
  title: string;
  url: string;
  tags: readonly Tag[];
  description: string;
  webhooks?: readonly WebhookSpec[];
  callers: CallerProblems;
};

/** The additional problems of endpoints that require an API key, a logged-in customer or member, a role, or a staff user. */
export type CallerProblems = Record<'key' | 'customer' | 'role' | 'staff', ProblemMaker[]>;

export function buildOpenApi(input: OpenApiInput): Json {
  const { endpoints, title, url, tags, description, webhooks = [], callers } = input;
  const shared: Components = { schemas: { Problem: problemSchema }, responses: {} };
  const paths: Record<string, Json> = {};
  const documentedEndpoints = endpoints
    .filter(({ undocumented }) => !undocumented)
    .toSorted(compareByTag(tags));
  for (const spec of documentedEndpoints) {
    const path = spec.url.replace(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [spec.method.toLowerCase()]: buildOperation(spec, findTag(spec, tags), shared, callers),
    };
  }
  const usedTags = new Set(documentedEndpoints.map((spec) => findTag(spec, tags)));
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: API_VERSION,
      summary: 'Weekly credit for Brazil: public catalog and consumer wallet.',
      description,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url }],
    security: [{ apiKey: [] }],
    tags: tags
      .filter((tag) => usedTags.has(tag))
      .map(({ name, description: tagDescription }) => ({ name, description: tagDescription })),
    paths,
    ...(webhooks.length > 0 && {
      webhooks: Object.fromEntries(
        webhooks.map((spec) => [spec.name, { post: buildWebhookOperation(spec, shared) }]),
      ),
    }),
    components: {
      securitySchemes: buildSecuritySchemes(documentedEndpoints),
      ...(documentedEndpoints.some(returnsNotModified) && { parameters: { IfNoneMatch: ifNoneMatch } }),
      headers: Object.fromEntries(
        Object.entries(sharedHeaders).map(([name, schema]) => [toPascalCase(name), schema]),
      ),
      responses: sortByName(shared.responses),
      schemas: sortByName(shared.schemas),
    },
  };
}

/** Component names must be identifiers, because client generators name types after them: `retry-after` becomes `RetryAfter`. */
function toPascalCase(name: string): string {
  return name.replace(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function sortByName(named: Record<string, Json>): Json {
  return Object.fromEntries(Object.entries(named).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const isStaffEndpoint = ({ access }: Endpoint) => access !== 'open' && access.scope === 'operator';

/** Lists all problems of an endpoint: those that follow from its declaration and those that it declares itself. */
export function listProblems(spec: Endpoint, callers: CallerProblems): ProblemMaker[] {
  return [
    badRequest,
    ...(spec.query || spec.body || spec.headers || spec.access !== 'open' ? [validationFailed] : []),
    ...(spec.access === 'open' ? [] : callers.key),
    ...(requiresCustomer(spec) || mayRequireMember(spec) ? callers.customer : []),
    ...(isStaffEndpoint(spec) || mayRequireMember(spec) ? callers.role : []),
    ...(isStaffEndpoint(spec) ? callers.staff : []),
    ...(spec.url.includes(':') ? [notFound] : []),
    ...(spec.problems ?? []),
    // A body is parsed even if the endpoint declares none.
    ...(spec.method === 'GET' ? [] : [...bodyProblems, requestTimeout]),
    headersTooLarge,
    internalError,
    unavailable,
  ];
}

function buildOperation(spec: Endpoint, tag: Tag, shared: Components, callers: CallerProblems): Json {
  const body = spec.documentedBody ?? spec.body;
  return {
    operationId: spec.id,
    tags: [tag.name],
    summary: spec.summary,
    ...(spec.description && { description: spec.description }),
    ...(spec.access !== 'open' && { 'x-scope': spec.access.scope }),
    ...(spec.access !== 'open' && spec.access.scope === 'operator' && { 'x-role': spec.access.role }),
    ...(mayRequireMember(spec) && { 'x-role': spec.access !== 'open' && spec.access.memberRole }),
    ...(spec.approval && { 'x-approval': spec.approval.kind }),
    ...(spec.cli && { 'x-cli': spec.cli }),
    ...buildSecurity(spec),
    ...buildParameters(spec),
    ...(body && {
      requestBody: {
        required: !spec.bodyOptional,
        content: {
          'application/json': { schema: toReference(body, shared.schemas), example: findExample(body) },
        },
      },
    }),
    ...(spec.rawContentTypes && {
      requestBody: {
        required: true,
        content: Object.fromEntries(spec.rawContentTypes.map((type) => [type, {}])),
      },
    }),
    responses: {
      ...buildResponses(spec, shared.schemas),
      ...buildProblemResponses(spec, listProblems(spec, callers), shared.responses),
    },
  };
}

const WEBHOOK_TAG = 'Events';
const WEBHOOK_HEADERS: Record<string, Json> = {
  'webhook-id': { type: 'string', description: 'The id of the event. Retries have the same id.' },
  'webhook-timestamp': { type: 'integer', description: 'When the request was sent, in Unix seconds.' },
  'webhook-signature': {
    type: 'string',
    description: 'The signature as defined by Standard Webhooks: `v1,…`.',
  },
};

function buildWebhookOperation({ name, id, description, schema }: WebhookSpec, shared: Components): Json {
  return {
    operationId: id,
    tags: [WEBHOOK_TAG],
    summary: name,
    description,
    security: [],
    parameters: Object.entries(WEBHOOK_HEADERS).map(([headerName, field]) =>
      buildParameter('header', headerName, field, true),
    ),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: toReference(schema, shared.schemas), example: findExample(schema) },
      },
    },
    responses: {
      '2XX': { description: 'The event was received. After any other response it is sent again later.' },
    },
  };
}

function buildParameters({ params, query, headers, ...spec }: Endpoint): Json {
  const sources = Object.entries({ path: params, query, header: headers });
  const parameters = sources.flatMap(([location, schema]) =>
    listProperties(schema).map(([name, field]) =>
      buildParameter(location, name, field, location === 'path' || isRequired(schema!, name)),
    ),
  );
  if (returnsNotModified(spec)) parameters.push({ $ref: '#/components/parameters/IfNoneMatch' });
  return parameters.length > 0 ? { parameters } : {};
}

const ifNoneMatch: Json = {
  name: 'if-none-match',
  in: 'header',
  required: false,
  description: 'The `ETag` of your copy. If the copy is current, the response is 304 without a body.',
  schema: { type: 'string' },
};

const buildHeader = (description: string, schema: Json = { type: 'string' }): Json => ({
  description,
  schema,
});

const sharedHeaders: Record<string, Json> = {
  'api-version': buildHeader('The dated version of the API.', { type: 'string', format: 'date' }),
  'x-request-id': buildHeader('Identifies the request in our logs. It is your own id if you sent one.'),
  ETag: buildHeader('Changes with the content. Send it back in `If-None-Match`.'),
  RateLimit: buildHeader(
    'The remaining requests in this minute, if the API key has a rate limit: `"minute";r=1199;t=42`.',
  ),
  'RateLimit-Policy': buildHeader('The rate limit of the API key, if it has one: `"minute";q=1200;w=60`.'),
  'Retry-After': buildHeader('Seconds to wait before a retry.', { type: 'integer' }),
  'WWW-Authenticate': buildHeader('The credential that is required.'),
};

function buildHeaders(spec: Endpoint, status: number, ownHeaders: Record<string, string> = {}): Json {
  const names = [
    'api-version',
    'x-request-id',
    ...(returnsNotModified(spec) && (status === 200 || status === 304) ? ['ETag'] : []),
    ...(spec.access === 'open' ? [] : ['RateLimit', 'RateLimit-Policy']),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
  ];
  return {
    ...Object.fromEntries(
      names.map((name) => [name, { $ref: `#/components/headers/${toPascalCase(name)}` }]),
    ),
    ...Object.fromEntries(
      Object.entries(ownHeaders).map(([name, description]) => [name, buildHeader(description)]),
    ),
  };
}

function listProperties(schema: TSchema | undefined): Array<[string, Json]> {
  return Object.entries((schema as { properties?: Record<string, Json> } | undefined)?.properties ?? {});
}

/** Whether a parameter is required. A parameter with a default is optional. */
function isRequired(schema: TSchema, name: string): boolean {
  const { required, properties } = schema as { required?: string[]; properties: Record<string, Json> };
  return (required ?? []).includes(name) && properties[name]?.default === undefined;
}

function buildParameter(location: string, name: string, schema: Json, required: boolean): Json {
  const { description, ...rest } = schema;
  return {
    name,
    in: location,
    required,
    ...(description !== undefined && { description }),
    schema: adaptForClients(cloneJson(rest)),
  };
}

function buildResponses(spec: Endpoint, schemas: Record<string, Json>): Json {
  const responses: Json = {};
  for (const [status, response] of Object.entries(listResponses(spec))) {
    const { description, headers, etag, schema, contentType, json, csv } = response;
    const type = contentType ?? 'application/json';
    responses[status] = {
      description,
      headers: buildHeaders(spec, Number(status), { ...(etag && ETAG_HEADER), ...headers }),
      ...(schema && {
        content: {
          [type]: { schema: toReference(schema, schemas), example: findExample(schema) },
          ...(csv && { 'text/csv': { schema: { type: 'string' } } }),
        },
      }),
      ...(contentType &&
        !schema && {
          content: {
            [type]: { schema: { type: 'string' } },
            ...(json && { 'application/json': { schema: toReference(json, schemas) } }),
          },
        }),
    };
  }
  if (returnsNotModified(spec)) {
    const description = 'Your copy (If-None-Match) is current.';
    responses['304'] = { description, headers: buildHeaders(spec, 304) };
  }
  return responses;
}

const problemSchema: Json = {
  type: 'object',
  description: 'RFC 9457 problem details.',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'A page that explains cause and remedy.' },
    title: { type: 'string', description: 'A short summary, in Portuguese if `Accept-Language` prefers it.' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'An explanation of this occurrence, for people.' },
    code: { type: 'string', description: 'A stable code, for programs.' },
    request_id: { type: 'string', description: 'Quote it when you contact support.' },
    errors: {
      type: 'array',
      description: 'All invalid fields and parameters.',
      items: {
        type: 'object',
        required: ['pointer', 'message'],
        properties: {
          pointer: {
            type: 'string',
            description: 'JSON Pointer to the field, or a slash and the name of the parameter.',
          },
          message: { type: 'string' },
        },
      },
    },
  },
};

/** Builds a response for each status, with its possible problem codes. */
function buildProblemResponses(
  spec: Endpoint,
  problems: ProblemMaker[],
  shared: Components['responses'],
): Json {
  const kindsByStatus = Map.groupBy(new Set(problems.map(({ kind }) => kind)), (kind) => kind.status);
  const responses: Json = {};
  for (const [status, kinds] of kindsByStatus) {
    const codes = kinds.map(({ code }) => code);
    const name = `Problem${status}${toPascalCase([...codes, ...(spec.access === 'open' ? ['open'] : [])].join('_'))}`;
    responses[status] = { $ref: `#/components/responses/${name}` };
    shared[name] = {
      description: kinds.map((kind) => `${kind.title.en} (\`${kind.code}\`).`).join(' '),
      headers: buildHeaders(spec, status),
      content: {
        'application/problem+json': {
          schema: {
            allOf: [
              { $ref: '#/components/schemas/Problem' },
              { type: 'object', required: ['code'], properties: { code: { type: 'string', enum: codes } } },
            ],
          },
          examples: Object.fromEntries(
            kinds.map((kind) => [
              kind.code,
              {
                value: {
                  type: `https://api.semana.example/errors/${kind.code}`,
                  title: kind.title.en,
                  status: kind.status,
                  detail: kind.cause,
                  code: kind.code,
                  request_id: '5a0c1a4e-7f5e-4a52-9c5e-0d9f7c1f3b11',
                },
              },
            ]),
          ),
        },
      },
    };
  }
  return responses;
}

/** Moves schemas with an `$id` to the components and references them there. Other schemas stay inline. */
function toReference(schema: unknown, schemas: Record<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => toReference(item, schemas));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $id, ...rest } = schema as Json & { $id?: string };
  const resolved = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, toReference(value, schemas)]),
  );
  const expanded = adaptForClients(resolved);
  if ($id === undefined) return expanded;
  schemas[$id] = expanded;
  return { $ref: `#/components/schemas/${$id}` };
}

function cloneJson(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema));
}

type ExampleSource = {
  examples?: unknown[];
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  type?: string | string[];
  minimum?: number;
  properties?: Record<string, unknown>;
  items?: unknown;
  anyOf?: unknown[];
};

/** Returns the schema's own example, or composes one from its properties. A test validates it against the schema. */
export function findExample(schema: unknown): unknown {
  const { examples, properties: fields, items, anyOf, ...leaf } = schema as ExampleSource;
  if (examples?.length) return examples[0];
  if (fields)
    return Object.fromEntries(Object.entries(fields).map(([name, part]) => [name, findExample(part)]));
  if (items) return [findExample(items)];
  if (anyOf) return findExample(anyOf[0]);
  if (leaf.type === 'boolean') return leaf.default ?? false;
  if (leaf.type === 'integer' || leaf.type === 'number') return leaf.default ?? leaf.minimum ?? 0;
  return leaf.default ?? leaf.const ?? leaf.enum?.[0] ?? null;
}
