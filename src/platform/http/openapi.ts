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
import { allAnswers, type Endpoint } from './endpoint.ts';
import { ETAG_HEADER } from './etag.ts';
import { mayNeedMember, needsCustomer, securityOf, securitySchemesOf } from './security.ts';
import { type Tag, tagOf } from './tags.ts';

type Json = Record<string, unknown>;

/** Parts that operations share, written once and referenced by name. */
type Shared = { schemas: Record<string, Json>; responses: Record<string, Json> };

/** A request that we send to an address of the partner. */
export type Webhook = {
  /** 'checkout.paid' */
  readonly name: string;
  readonly id: string;
  readonly description: string;
  readonly schema: TSchema;
};

type OpenApiParts = {
  endpoints: Endpoint[];
  /** Of this door: `Semana API`. */
  title: string;
  /** The public address of this door. */
  url: string;
  tags: readonly Tag[];
  description: string;
  webhooks?: readonly Webhook[];
} & CallerProblems;

export type CallerProblems = {
  keyProblems: ProblemMaker[];
  /** Further problems of every endpoint that requires a logged-in customer. */
  tokenProblems: ProblemMaker[];
  /** Further problems of every endpoint that requires a role. */
  roleProblems: ProblemMaker[];
  /** Of an operator's person alone. */
  staffProblems: ProblemMaker[];
};

/** The OpenAPI 3.1 document, derived from the endpoints. */
export function openApi(parts: OpenApiParts): Json {
  const { endpoints, title, url, tags, description, webhooks = [], ...callers } = parts;
  const shared: Shared = { schemas: { Problem: problemSchema }, responses: {} };
  const paths: Record<string, Json> = {};
  const documented = endpoints.filter(({ undocumented }) => !undocumented).toSorted(inReadingOrder);
  for (const spec of documented) {
    const path = spec.url.replace(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [spec.method.toLowerCase()]: operation(spec, tagOf(spec, tags), shared, callers),
    };
  }
  const used = new Set(documented.map((spec) => tagOf(spec, tags)));
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
      .filter((tag) => used.has(tag))
      .map(({ name, description: about }) => ({ name, description: about })),
    paths,
    ...(webhooks.length > 0 && {
      webhooks: Object.fromEntries(webhooks.map((spec) => [spec.name, { post: called(spec, shared) }])),
    }),
    components: {
      securitySchemes: securitySchemesOf(documented),
      ...(documented.some((spec) => spec.cache) && { parameters: { IfNoneMatch: ifNoneMatch } }),
      headers: Object.fromEntries(
        Object.entries(sharedHeaders).map(([name, schema]) => [pascalCase(name), schema]),
      ),
      responses: sorted(shared.responses),
      schemas: sorted(shared.schemas),
    },
  };
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Sorted by address, in whatever order modules list their endpoints. */
function inReadingOrder(one: Endpoint, other: Endpoint): number {
  if (one.url !== other.url) return one.url < other.url ? -1 : 1;
  return METHODS.indexOf(one.method) - METHODS.indexOf(other.method);
}

/** Shared parts are named by identifiers, because client generators make types of them: `retry-after` is `RetryAfter`. */
function pascalCase(name: string): string {
  return name.replace(/(?:^|[-_])(\w)/g, (_, first: string) => first.toUpperCase());
}

function sorted(named: Record<string, Json>): Json {
  return Object.fromEntries(Object.entries(named).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Such an endpoint refuses parameters that it does not know, whether it knows any or not. */
const isForStaff = ({ access }: Endpoint) => access !== 'open' && access.scope === 'operator';

/** Everything an endpoint may refuse with: what its declaration implies, and what it names itself. */
export function problemsOf(spec: Endpoint, callers: CallerProblems): ProblemMaker[] {
  const { keyProblems, tokenProblems, roleProblems, staffProblems } = callers;
  return [
    badRequest,
    ...(spec.query || spec.body || spec.headers || isForStaff(spec) ? [validationFailed] : []),
    ...(spec.access === 'open' ? [] : keyProblems),
    ...(needsCustomer(spec) || mayNeedMember(spec) ? tokenProblems : []),
    ...(isForStaff(spec) || mayNeedMember(spec) ? roleProblems : []),
    ...(isForStaff(spec) ? staffProblems : []),
    ...(spec.url.includes(':') ? [notFound] : []),
    ...(spec.problems ?? []),
    // A body is parsed even where none is declared.
    ...(spec.method === 'GET' ? [] : [...bodyProblems, requestTimeout]),
    headersTooLarge,
    internalError,
    unavailable,
  ];
}

function operation(spec: Endpoint, tag: Tag, shared: Shared, callers: CallerProblems): Json {
  const body = spec.documentedBody ?? spec.body;
  return {
    operationId: spec.id,
    tags: [tag.name],
    summary: spec.summary,
    ...(spec.description && { description: spec.description }),
    ...(spec.access !== 'open' && { 'x-scope': spec.access.scope }),
    ...(spec.access !== 'open' && spec.access.scope === 'operator' && { 'x-role': spec.access.role }),
    ...(mayNeedMember(spec) && { 'x-role': spec.access !== 'open' && spec.access.member }),
    ...securityOf(spec),
    ...withParameters(spec),
    ...(body && {
      requestBody: {
        required: !spec.bodyOptional,
        content: {
          'application/json': { schema: reference(body, shared.schemas), example: exampleOf(body) },
        },
      },
    }),
    ...(spec.rawTypes && {
      requestBody: { required: true, content: Object.fromEntries(spec.rawTypes.map((type) => [type, {}])) },
    }),
    responses: {
      ...answers(spec, shared.schemas),
      ...problemResponses(spec, problemsOf(spec, callers), shared.responses),
    },
  };
}

const WEBHOOK_TAG = 'Events';

/** The request to the partner's endpoint. */
function called({ name, id, description, schema }: Webhook, shared: Shared): Json {
  return {
    operationId: id,
    tags: [WEBHOOK_TAG],
    summary: name,
    description,
    security: [],
    parameters: [
      parameter(
        'header',
        'webhook-id',
        { type: 'string', description: 'The id of the event: stable.' },
        true,
      ),
      parameter(
        'header',
        'webhook-timestamp',
        { type: 'integer', description: 'When it was sent, in seconds.' },
        true,
      ),
      parameter(
        'header',
        'webhook-signature',
        { type: 'string', description: 'Standard Webhooks: `v1,…`.' },
        true,
      ),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: reference(schema, shared.schemas), example: exampleOf(schema) },
      },
    },
    responses: {
      '2XX': { description: 'It arrived. Any other answer is a failure, and it is sent again later.' },
    },
  };
}

function withParameters(spec: Endpoint): Json {
  const parameters = [
    ...properties(spec.params).map(([name, schema]) => parameter('path', name, schema, true)),
    ...properties(spec.query).map(([name, schema]) =>
      parameter('query', name, schema, isRequired(spec.query!, name)),
    ),
    ...properties(spec.headers).map(([name, schema]) =>
      parameter('header', name, schema, isRequired(spec.headers!, name)),
    ),
    ...(spec.cache ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ];
  return parameters.length > 0 ? { parameters } : {};
}

const ifNoneMatch: Json = {
  name: 'if-none-match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the copy you have. While it is current the answer is 304, without a body.',
  schema: { type: 'string' },
};

const header = (description: string, schema: Json = { type: 'string' }): Json => ({ description, schema });

const sharedHeaders: Record<string, Json> = {
  'api-version': header('The dated version of the interface.', { type: 'string', format: 'date' }),
  'x-request-id': header('Names the request in our logs: yours, when you sent one.'),
  ETag: header('Changes with the content. Send it back in `If-None-Match`.'),
  RateLimit: header('What is left of the minute, where the key has a limit: `"minute";r=1199;t=42`.'),
  'RateLimit-Policy': header('The limit of the key, where it has one: `"minute";q=1200;w=60`.'),
  'Retry-After': header('Seconds to wait before trying again.', { type: 'integer' }),
  'WWW-Authenticate': header('Which credential is asked for.'),
};

/** The declared headers of a response and those that all have. */
function headersOf(spec: Endpoint, status: number, own: Record<string, string> = {}): Json {
  const names = [
    'api-version',
    'x-request-id',
    ...(spec.cache && (status === 200 || status === 304) ? ['ETag'] : []),
    ...(spec.access === 'open' ? [] : ['RateLimit', 'RateLimit-Policy']),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
  ];
  return {
    ...Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${pascalCase(name)}` }])),
    ...Object.fromEntries(Object.entries(own).map(([name, description]) => [name, header(description)])),
  };
}

function properties(schema: TSchema | undefined): Array<[string, Json]> {
  return Object.entries((schema as { properties?: Record<string, Json> } | undefined)?.properties ?? {});
}

/** A parameter with a default is optional. */
function isRequired(schema: TSchema, name: string): boolean {
  const { required, properties: all } = schema as { required?: string[]; properties: Record<string, Json> };
  return (required ?? []).includes(name) && all[name]?.default === undefined;
}

function parameter(place: string, name: string, schema: Json, required: boolean): Json {
  const { description, ...rest } = schema;
  return {
    name,
    in: place,
    required,
    ...(description !== undefined && { description }),
    schema: plain(rest),
  };
}

function answers(spec: Endpoint, schemas: Record<string, Json>): Json {
  const responses: Json = {};
  for (const [status, answer] of Object.entries(allAnswers(spec))) {
    const { description, headers, etag, schema, contentType, csv } = answer;
    const type = contentType ?? 'application/json';
    responses[status] = {
      description,
      headers: headersOf(spec, Number(status), { ...(etag && ETAG_HEADER), ...headers }),
      ...(schema && {
        content: {
          [type]: { schema: reference(schema, schemas), example: exampleOf(schema) },
          ...(csv && { 'text/csv': { schema: { type: 'string' } } }),
        },
      }),
      ...(contentType && !schema && { content: { [type]: { schema: { type: 'string' } } } }),
    };
  }
  if (spec.cache) {
    const description = 'The copy you have (If-None-Match) is current.';
    responses['304'] = { description, headers: headersOf(spec, 304) };
  }
  return responses;
}

const problemSchema: Json = {
  type: 'object',
  description: 'RFC 9457 problem details.',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'A page that tells cause and remedy.' },
    title: { type: 'string', description: 'In Portuguese when `Accept-Language` prefers it.' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What is wrong in this case, for people.' },
    code: { type: 'string', description: 'What is wrong, for programs: stable.' },
    request_id: { type: 'string', description: 'To quote when asking for help.' },
    errors: {
      type: 'array',
      description: 'Every field or parameter that is wrong.',
      items: {
        type: 'object',
        required: ['pointer', 'message'],
        properties: {
          pointer: {
            type: 'string',
            description: 'JSON Pointer to the field, or / and the name of the parameter.',
          },
          message: { type: 'string' },
        },
      },
    },
  },
};

/** Each status with its possible codes, so that a client can distinguish them all. */
function problemResponses(spec: Endpoint, problems: ProblemMaker[], shared: Shared['responses']): Json {
  const byStatus = Map.groupBy(new Set(problems.map(({ kind }) => kind)), (kind) => kind.status);
  const responses: Json = {};
  for (const [status, kinds] of byStatus) {
    const codes = kinds.map(({ code }) => code);
    const name = `Problem${status}${pascalCase([...codes, ...(spec.access === 'open' ? ['open'] : [])].join('_'))}`;
    responses[status] = { $ref: `#/components/responses/${name}` };
    shared[name] = {
      description: kinds.map((kind) => `${kind.title.en} (\`${kind.code}\`).`).join(' '),
      headers: headersOf(spec, status),
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

/** Named schemas move to components and are referenced; others stay inline. */
function reference(schema: unknown, schemas: Record<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => reference(item, schemas));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $id, ...rest } = schema as Json & { $id?: string };
  const resolved = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, reference(value, schemas)]),
  );
  const written = withAlternatives(resolved);
  if ($id === undefined) return written;
  schemas[$id] = written;
  return { $ref: `#/components/schemas/${$id}` };
}

/**
 * `anyOf: [{required: [a]}, {required: [b]}]` beside properties requires a or b. Client generators understand it only when each
 * alternative is written out.
 */
function withAlternatives(schema: Json): Json {
  const { anyOf, description, examples, ...base } = schema as Json & {
    anyOf?: Array<{ required?: string[] }>;
    required?: string[];
  };
  if (!base.properties || !anyOf) return schema;
  return {
    ...(description !== undefined && { description }),
    ...(examples !== undefined && { examples }),
    anyOf: anyOf.map(({ required = [] }) => ({
      ...base,
      required: [...(base.required ?? []), ...required],
    })),
  };
}

function plain(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema));
}

type ExampleSource = {
  examples?: unknown[];
  default?: unknown;
  enum?: unknown[];
  type?: string | string[];
  minimum?: number;
  properties?: Record<string, unknown>;
  items?: unknown;
  anyOf?: unknown[];
};

/** The schema's own example, or one composed of those of its parts. A test validates it against the schema. */
function exampleOf(schema: unknown): unknown {
  const { examples, properties: parts, items, anyOf, ...leaf } = schema as ExampleSource;
  if (examples?.length) return examples[0];
  if (parts) return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, exampleOf(part)]));
  if (items) return [exampleOf(items)];
  if (anyOf) return exampleOf(anyOf[0]);
  if (leaf.type === 'boolean') return leaf.default ?? false;
  if (leaf.type === 'integer' || leaf.type === 'number') return leaf.default ?? leaf.minimum ?? 0;
  return leaf.default ?? leaf.enum?.[0] ?? null;
}
