import type { TSchema } from 'typebox';
import {
  badRequest,
  bodyProblems,
  headersTooLarge,
  internalError,
  notFound,
  type ProblemFactory,
  requestTimeout,
  unavailable,
  validationFailed,
} from '../problem.ts';
import { isStaffEndpoint, mayRequireMember, requiresCustomer } from './access.ts';
import { API_VERSION } from './default-headers.ts';
import { type Endpoint, returnsNotModified } from './endpoint.ts';
import {
  adaptForClientGenerators,
  buildProblemResponses,
  buildResponses,
  type Components,
  extractNamedSchemas,
  findExample,
  type Json,
  problemSchema,
  sharedHeaders,
  toPascalCase,
} from './openapi-components.ts';

/** A group of operations in openapi.json: the endpoints under these paths. */
export type Tag = {
  readonly name: string;
  readonly description: string;
  readonly paths: readonly string[];
  /** Routes ('GET /path') that come first in the group, in this order. The others follow in the order of their paths. */
  readonly firstRoutes?: readonly string[];
};

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
  callerProblems: CallerProblems;
};

/** The additional problems of endpoints that require an API key, a logged-in customer or member, a role, or a staff user. */
export type CallerProblems = Record<'key' | 'customer' | 'role' | 'staff', ProblemFactory[]>;

export function buildOpenApi(input: OpenApiInput): Json {
  const { endpoints, title, url, tags, description, webhooks = [], callerProblems } = input;
  // The operations below add the schemas and responses that they reference.
  const components: Components = { schemas: { Problem: problemSchema }, responses: {} };
  const paths: Record<string, Json> = {};
  const documentedEndpoints = endpoints
    .filter(({ undocumented }) => !undocumented)
    .toSorted(compareByTag(tags));
  for (const spec of documentedEndpoints) {
    const path = spec.url.replace(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [spec.method.toLowerCase()]: buildOperation(spec, findTag(spec, tags), components, callerProblems),
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
        webhooks.map((spec) => [spec.name, { post: buildWebhookOperation(spec, components) }]),
      ),
    }),
    components: {
      securitySchemes: buildSecuritySchemes(documentedEndpoints),
      ...(documentedEndpoints.some(returnsNotModified) && { parameters: { IfNoneMatch: ifNoneMatch } }),
      headers: Object.fromEntries(
        Object.entries(sharedHeaders).map(([name, schema]) => [toPascalCase(name), schema]),
      ),
      responses: sortByName(components.responses),
      schemas: sortByName(components.schemas),
    },
  };
}

function sortByName(componentsByName: Record<string, Json>): Json {
  return Object.fromEntries(Object.entries(componentsByName).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Lists all problems of an endpoint: those that follow from its declaration and those that it declares itself. */
export function listProblems(spec: Endpoint, callerProblems: CallerProblems): ProblemFactory[] {
  return [
    badRequest,
    ...(spec.query || spec.body || spec.headers || spec.access !== 'open' ? [validationFailed] : []),
    ...(spec.access === 'open' ? [] : callerProblems.key),
    ...(requiresCustomer(spec) || mayRequireMember(spec) ? callerProblems.customer : []),
    ...(isStaffEndpoint(spec) || mayRequireMember(spec) ? callerProblems.role : []),
    ...(isStaffEndpoint(spec) ? callerProblems.staff : []),
    ...(spec.url.includes(':') ? [notFound] : []),
    ...(spec.problems ?? []),
    // A body is parsed even if the endpoint declares none.
    ...(spec.method === 'GET' ? [] : [...bodyProblems, requestTimeout]),
    headersTooLarge,
    internalError,
    unavailable,
  ];
}

/** The credentials that an endpoint requires, if they differ from the default, an API key. Any one of the alternatives is enough. */
function buildSecurity(spec: Endpoint): { security?: object[] } {
  const keyAndToken = { apiKey: [], token: [] };
  if (spec.access === 'open') return { security: [] };
  if (requiresCustomer(spec)) return { security: [keyAndToken] };
  if (!mayRequireMember(spec)) return {};
  // A merchant's own key is sufficient. The key of a till requires the token of a member.
  return { security: spec.access.scope === 'merchant' ? [{ apiKey: [] }, keyAndToken] : [keyAndToken] };
}

const buildSecuritySchemes = (endpoints: readonly Endpoint[]) => ({
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'The API key of the calling application.',
  },
  ...(endpoints.some((spec) => requiresCustomer(spec) || mayRequireMember(spec)) && {
    token: {
      type: 'apiKey',
      in: 'header',
      name: 'x-token',
      description:
        'The access token of the logged-in customer, or of a member of a merchant at a till: the `token` that a login returns.',
    },
  }),
});

function buildOperation(
  spec: Endpoint,
  tag: Tag,
  components: Components,
  callerProblems: CallerProblems,
): Json {
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
          'application/json': {
            schema: extractNamedSchemas(body, components.schemas),
            example: findExample(body),
          },
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
      ...buildResponses(spec, components.schemas),
      ...buildProblemResponses(spec, listProblems(spec, callerProblems), components.responses),
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

function buildWebhookOperation({ name, id, description, schema }: WebhookSpec, components: Components): Json {
  return {
    operationId: id,
    tags: [WEBHOOK_TAG],
    summary: name,
    description,
    security: [],
    parameters: Object.entries(WEBHOOK_HEADERS).map(([headerName, field]) =>
      buildParameter('header', headerName, field, { required: true }),
    ),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: extractNamedSchemas(schema, components.schemas),
          example: findExample(schema),
        },
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
      buildParameter(location, name, field, {
        required: location === 'path' || isRequired(schema!, name),
      }),
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

function listProperties(schema: TSchema | undefined): Array<[string, Json]> {
  return Object.entries((schema as { properties?: Record<string, Json> } | undefined)?.properties ?? {});
}

/** Whether a parameter is required. A parameter with a default is optional. */
function isRequired(schema: TSchema, name: string): boolean {
  const { required, properties } = schema as { required?: string[]; properties: Record<string, Json> };
  return (required ?? []).includes(name) && properties[name]?.default === undefined;
}

function buildParameter(
  location: string,
  name: string,
  schema: Json,
  { required }: { required: boolean },
): Json {
  const { description, ...rest } = schema;
  return {
    name,
    in: location,
    required,
    ...(description !== undefined && { description }),
    schema: adaptForClientGenerators(JSON.parse(JSON.stringify(rest))),
  };
}

/** Finds the tag with the longest matching path: /wallet/auth takes precedence over /wallet. */
export function findTag({ url }: Endpoint, tags: readonly Tag[]): Tag {
  const getMatchLength = ({ paths }: Tag) =>
    Math.max(-1, ...paths.filter((path) => `${url}/`.startsWith(`${path}/`)).map(({ length }) => length));
  const [tag] = tags.toSorted((a, b) => getMatchLength(b) - getMatchLength(a));
  if (!tag || getMatchLength(tag) < 0) throw new Error(`No module declares a tag for the path of ${url}.`);
  return tag;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Compares endpoints by their tag, within it by `firstRoutes`, then by path and method. */
function compareByTag(tags: readonly Tag[]): (a: Endpoint, b: Endpoint) => number {
  return (a, b) => {
    const [tagA, tagB] = [findTag(a, tags), findTag(b, tags)];
    if (tagA !== tagB) return tags.indexOf(tagA) - tags.indexOf(tagB);
    const { firstRoutes = [] } = tagA;
    const getRank = ({ method, url }: Endpoint) => {
      const routeIndex = firstRoutes.indexOf(`${method} ${url}`);
      return routeIndex < 0 ? firstRoutes.length : routeIndex;
    };
    if (getRank(a) !== getRank(b)) return getRank(a) - getRank(b);
    if (a.url !== b.url) return a.url < b.url ? -1 : 1;
    return METHODS.indexOf(a.method) - METHODS.indexOf(b.method);
  };
}
