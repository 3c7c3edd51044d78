import type { ProblemFactory } from '../problem.ts';
import { type Endpoint, listResponses, returnsNotModified } from './endpoint.ts';
import { ETAG_HEADER } from './etag.ts';

export type Json = Record<string, unknown>;

/** Components that operations reference by name. */
export type Components = { schemas: Record<string, Json>; responses: Record<string, Json> };

/** Component names must be identifiers, because client generators name types after them: `retry-after` becomes `RetryAfter`. */
export function toPascalCase(name: string): string {
  return name.replace(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const buildHeader = (description: string, schema: Json = { type: 'string' }): Json => ({
  description,
  schema,
});

export const sharedHeaders: Record<string, Json> = {
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
  const commonHeaders = [
    'api-version',
    'x-request-id',
    ...(returnsNotModified(spec) && (status === 200 || status === 304) ? ['ETag'] : []),
    ...(spec.access === 'open' ? [] : ['RateLimit', 'RateLimit-Policy']),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
  ];
  return {
    ...Object.fromEntries(
      commonHeaders.map((name) => [name, { $ref: `#/components/headers/${toPascalCase(name)}` }]),
    ),
    ...Object.fromEntries(
      Object.entries(ownHeaders).map(([name, description]) => [name, buildHeader(description)]),
    ),
  };
}

export function buildResponses(spec: Endpoint, schemas: Record<string, Json>): Json {
  const responses: Json = {};
  for (const [status, response] of Object.entries(listResponses(spec))) {
    const { description, headers, etag, schema, contentType, json, csv } = response;
    const type = contentType ?? 'application/json';
    responses[status] = {
      description,
      headers: buildHeaders(spec, Number(status), { ...(etag && ETAG_HEADER), ...headers }),
      ...(schema && {
        content: {
          [type]: { schema: extractNamedSchemas(schema, schemas), example: findExample(schema) },
          ...(csv && { 'text/csv': { schema: { type: 'string' } } }),
        },
      }),
      ...(contentType &&
        !schema && {
          content: {
            [type]: { schema: { type: 'string' } },
            ...(json && { 'application/json': { schema: extractNamedSchemas(json, schemas) } }),
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

export const problemSchema: Json = {
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

/** Adds a response for each status, with its possible problem codes, to `sharedResponses`, and returns references to them. */
export function buildProblemResponses(
  spec: Endpoint,
  problems: ProblemFactory[],
  sharedResponses: Components['responses'],
): Json {
  const kindsByStatus = Map.groupBy(new Set(problems.map(({ kind }) => kind)), (kind) => kind.status);
  const responses: Json = {};
  for (const [status, kinds] of kindsByStatus) {
    const codes = kinds.map(({ code }) => code);
    const name = `Problem${status}${toPascalCase([...codes, ...(spec.access === 'open' ? ['open'] : [])].join('_'))}`;
    responses[status] = { $ref: `#/components/responses/${name}` };
    sharedResponses[name] = {
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

/** Rewrites a schema so that client generators understand it. */
export const adaptForClientGenerators = (schema: Json): Json => expandAlternatives(addEnumType(schema));

/** Without a `type`, generators declare the values of an enum as unknown. */
function addEnumType(schema: Json): Json {
  const { enum: values, type } = schema;
  const isUntyped = Array.isArray(values) && type === undefined;
  return isUntyped && values.every((value) => typeof value === 'string')
    ? { type: 'string', ...schema }
    : schema;
}

/** Client generators do not understand `anyOf: [{required: [a]}, {required: [b]}]` beside properties, so it is written out. */
function expandAlternatives(schema: Json): Json {
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

/** Copies a schema. The schemas in it that have an `$id` are added to `schemas` and replaced with references; others stay inline. */
export function extractNamedSchemas(schema: unknown, schemas: Record<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => extractNamedSchemas(item, schemas));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $id, ...rest } = schema as Json & { $id?: string };
  const resolvedSchema = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, extractNamedSchemas(value, schemas)]),
  );
  const expandedSchema = adaptForClientGenerators(resolvedSchema);
  if ($id === undefined) return expandedSchema;
  schemas[$id] = expandedSchema;
  return { $ref: `#/components/schemas/${$id}` };
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
