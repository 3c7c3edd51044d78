import type { TSchema } from 'typebox';
import {
  badRequest,
  bodyProblems,
  internalError,
  type ProblemMaker,
  unavailable,
  validationFailed,
} from '../problem.ts';
import { API_VERSION } from './default-headers.ts';
import type { Endpoint } from './endpoint.ts';

type Json = Record<string, unknown>;

export type OpenApiParts = {
  endpoints: Endpoint[];
  tags: Array<{ name: string; description: string }>;
  description: string;
  /** What every endpoint that asks for a key may answer. */
  keyProblems: ProblemMaker[];
  /** What every endpoint that asks for a logged-in customer may answer besides. */
  tokenProblems: ProblemMaker[];
};

/** The interface as OpenAPI 3.1, said by the endpoints themselves. Addresses that are for browsers only have no tag. */
export function openApi({ endpoints, tags, description, ...callers }: OpenApiParts): Json {
  const schemas: Record<string, Json> = { Problem: problemSchema };
  const paths: Record<string, Json> = {};
  for (const spec of endpoints) {
    if (spec.tag === '') continue;
    const path = spec.url.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [spec.method.toLowerCase()]: operation(spec, schemas, callers) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Semana',
      version: API_VERSION,
      summary: 'Weekly credit for Brazil: public catalog and consumer wallet.',
      description,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'Where this document was served from.' }],
    security: [{ apiKey: [] }],
    tags,
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'Identifies the calling application. In the sandbox: `sandbox-demo-key`.',
        },
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'x-token',
          description: 'The customer who is logged in: the `token` of a login.',
        },
      },
      schemas: Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

type CallerProblems = Pick<OpenApiParts, 'keyProblems' | 'tokenProblems'>;

function operation(spec: Endpoint, schemas: Record<string, Json>, callers: CallerProblems): Json {
  const needsCustomer = spec.access !== 'open' && spec.access.customer;
  const problems = [
    ...(spec.query || spec.body ? [validationFailed] : []),
    ...(spec.access === 'open' ? [badRequest] : callers.keyProblems),
    ...(needsCustomer ? callers.tokenProblems : []),
    ...(spec.problems ?? []),
    ...(spec.body ? bodyProblems : []),
    internalError,
    unavailable,
  ];
  return {
    operationId: spec.id,
    tags: [spec.tag],
    summary: spec.summary,
    ...(spec.description && { description: spec.description }),
    ...(spec.access === 'open' ? { security: [] } : { 'x-scope': spec.access.scope }),
    ...(needsCustomer && { security: [{ apiKey: [], token: [] }] }),
    ...withParameters(spec),
    ...(spec.body && {
      requestBody: {
        required: !spec.bodyOptional,
        content: {
          'application/json': { schema: reference(spec.body, schemas), example: exampleOf(spec.body) },
        },
      },
    }),
    responses: { ...answers(spec, schemas), ...problemResponses(problems) },
  };
}

function withParameters(spec: Endpoint): Json {
  const parameters = [
    ...properties(spec.params).map(([name, schema]) => parameter('path', name, schema, true)),
    ...properties(spec.query).map(([name, schema]) =>
      parameter('query', name, schema, isRequired(spec.query!, name)),
    ),
    ...Object.entries(spec.headers ?? {}).map(([name, { description, schema }]) => ({
      ...parameter('header', name, schema as Json, false),
      description,
    })),
  ];
  return parameters.length > 0 ? { parameters } : {};
}

function properties(schema: TSchema | undefined): Array<[string, Json]> {
  return Object.entries((schema as { properties?: Record<string, Json> } | undefined)?.properties ?? {});
}

/** A parameter with a default may be left out. */
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
  for (const [status, answer] of Object.entries(spec.answers)) {
    responses[status] = {
      description: answer.description,
      ...(answer.headers && {
        headers: Object.fromEntries(
          Object.entries(answer.headers).map(([name, description]) => [
            name,
            { description, schema: { type: 'string' } },
          ]),
        ),
      }),
      ...(answer.schema && {
        content: {
          [answer.contentType ?? 'application/json']: {
            schema: reference(answer.schema, schemas),
            example: exampleOf(answer.schema),
          },
        },
      }),
    };
  }
  if (spec.cache) responses['304'] = { description: 'The copy you have (If-None-Match) is current.' };
  return responses;
}

const problemSchema: Json = {
  type: 'object',
  description: 'RFC 9457 problem details.',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'A page that tells cause and remedy.' },
    title: { type: 'string' },
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

function problemResponses(problems: ProblemMaker[]): Json {
  const byStatus = Map.groupBy(new Set(problems.map(({ kind }) => kind)), (kind) => kind.status);
  const responses: Json = {};
  for (const [status, kinds] of byStatus) {
    responses[status] = {
      description: kinds.map((kind) => `${kind.title} (\`${kind.code}\`).`).join(' '),
      content: {
        'application/problem+json': {
          schema: { $ref: '#/components/schemas/Problem' },
          examples: Object.fromEntries(
            kinds.map((kind) => [
              kind.code,
              {
                value: {
                  type: `https://api.semana.example/errors/${kind.code}`,
                  title: kind.title,
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

/** Named schemas move to components and are referred to; the rest stays where it is. */
function reference(schema: unknown, schemas: Record<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => reference(item, schemas));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $id, ...rest } = schema as Json & { $id?: string };
  const resolved = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, reference(value, schemas)]),
  );
  if ($id === undefined) return resolved;
  schemas[$id] = resolved;
  return { $ref: `#/components/schemas/${$id}` };
}

function plain(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema));
}

type ExampleSource = {
  examples?: unknown[];
  default?: unknown;
  properties?: Record<string, unknown>;
  items?: unknown;
};

/** The schema's own example, or one put together from those of its parts. */
function exampleOf(schema: unknown): unknown {
  const { examples, properties: parts, items, default: fallback } = schema as ExampleSource;
  if (examples?.length) return examples[0];
  if (parts) return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, exampleOf(part)]));
  if (items) return [exampleOf(items)];
  return fallback ?? null;
}
