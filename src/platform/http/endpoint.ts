import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import type { Bilingual } from '#core/values/bilingual.ts';
import type { Cents } from '#core/values/money.ts';
import type { Problem, ProblemFactory } from '../problem.ts';
import { type Access, type CallerRole, isStaffEndpoint, type MemberRole } from './access.ts';
import {
  type ApprovalRule,
  type ApprovalTarget,
  approvalProblems,
  PENDING_APPROVAL_RESPONSE,
  withPendingApproval,
} from './approval.ts';
import { csvParameter, exportReasonParameter } from './csv.ts';
import { idempotency } from './idempotency.ts';
import { hasCustomerData } from './masking.ts';
import type { ResponseCache, Sent } from './response-cache.ts';

export type Member = {
  readonly id: string;
  readonly name: string;
  readonly role: MemberRole;
  /** The maximum amount of a clerk's offers. Null: no limit. */
  readonly maxAmount: Cents | null;
  readonly mayReturn: boolean;
};

/** The principal of a request, set by the guards that the endpoint's `access` requires. */
export type Caller = {
  partnerId: string;
  keyId: string;
  scopes: readonly string[];
  /** The client's IP address. Rate limits apply to its network (see `toNetwork`). */
  ipAddress: string;
  /** The opaque id of the client's device (header x-device); null if it is missing or malformed. */
  deviceId: string | null;
  /** Whether the API key belongs to a server that calls on behalf of many consumers. */
  isBackend: boolean;
  /** The logged-in customer and their session; '' unless `access` requires a customer. */
  customerId: string;
  sessionId: string;
  /** The merchant of the API key or of the logged-in member; 0 unless `access` requires the scope `merchant` or a member role. */
  merchantId: number;
  /** The logged-in member of the merchant; '' and null for the merchant's own API key. */
  memberId: string;
  member: Member | null;
  /** Origins that the page of an offer created with this API key may redirect to. */
  returnOrigins: readonly string[];
  /** The staff user the API key or session belongs to; '' unless `access` requires the scope `operator`. */
  staffUserId: string;
  role: CallerRole;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    operation?: string;
    notFound?: Bilingual;
  }
  interface FastifyRequest {
    caller: Caller;
    /** For a 405: the URL pattern that matched the request, but not with its method. */
    allowedUrl: string;
    /** The endpoint's 404, for unknown and malformed ids. */
    notFound(): Problem;
  }
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One successful response of an endpoint. It has no body unless it declares a schema or a content type. */
export type ResponseSpec = {
  description: string;
  schema?: TSchema;
  headers?: Record<string, string>;
  /** Adds an `ETag` of the body, for If-Match, unless the handler sets one. */
  etag?: true;
  /** For content types other than JSON. The schema of an event stream is the schema of one event's data. */
  contentType?: string;
  /** The response can also be requested as JSON with this schema, in addition to `contentType`. */
  json?: TSchema;
  csv?: true;
};

export type ResponseSpecs = Record<number, ResponseSpec>;

type ResponseBody<R> = R extends { contentType: string }
  ? string | Buffer | Readable
  : R extends { schema: infer S extends TSchema }
    ? Static<S> | (R extends { csv: true } ? Readable : never)
    : undefined;

type Sender<B> = {
  header(name: string, value: string): Sender<B>;
  type(contentType: string): Sender<B>;
  send(...body: B extends undefined ? [] : [body: B]): Sent;
};

/** Compares each member of `T` with the whole: only a member of a union does not include all of it. */
type IsUnion<T, Whole = T> = T extends Whole ? ([Whole] extends [T] ? false : true) : never;

/** With one declared response the handler returns its body. With several it chooses one: `reply.code(201).send(body)`. */
type HandlerResult<R extends ResponseSpecs> =
  | Sent
  | (IsUnion<keyof R> extends true ? never : BodyOrVoid<ResponseBody<R[keyof R]>>);
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a body may end without a return
type BodyOrVoid<B> = B extends undefined ? void : B;

export type Reply<R extends ResponseSpecs> = Pick<FastifyReply, 'hijack' | 'raw' | 'getHeaders'> &
  (IsUnion<keyof R> extends true
    ? { header(name: string, value: string): Reply<R> }
    : Sender<ResponseBody<R[keyof R]>>) & {
    code<S extends keyof R>(status: S): Sender<ResponseBody<R[S]>>;
  };

type StaticOf<S> = S extends TSchema ? Static<S> : unknown;

/** A handler may return undefined for a 404 if the endpoint declares `notFound`. */
type NotFoundResult<N> = N extends Bilingual ? undefined : never;

export type Request<P, Q, B, H> = Omit<FastifyRequest, 'params' | 'query' | 'body' | 'headers'> & {
  params: StaticOf<P>;
  query: StaticOf<Q>;
  body: StaticOf<B>;
  headers: IncomingHttpHeaders & Static<typeof idempotency.header> & StaticOf<H>;
};

/** The CLI command of an operation. Fields are paths in the response (`a|b`: the first that is set), in texts written as `{field}`. */
export type CliSpec = {
  /** Replaces the words that are derived from the URL. */
  readonly command?: string;
  /** The name of the handwritten command that carries out the operation. */
  readonly handwritten?: string;
  /** The fields of a row in the table, separated by commas. */
  readonly columns?: string;
  readonly emptyText?: string;
  /** The text that is printed after success. */
  readonly done?: string;
  /** The fields that are printed to standard output for scripts, one per line. The text `done` then goes to standard error. */
  readonly prints?: readonly string[];
  /** The user must confirm this sentence. An operation that can require approval declares one, or false if it moves no money. */
  readonly confirm?: string | false;
  /** A total of a list. The command exits with code 1 if it is not 0. */
  readonly failedIf?: string;
  readonly examples?: readonly string[];
};

type OptionalSchema = TSchema | undefined;

/**
 * The declaration of an endpoint. Route, validation, 405, OPTIONS and the operation in openapi.json are derived from it. Its types: path
 * parameters (P), query (Q), body (B), headers (H), responses (R) and the detail of a 404 (N).
 */
type EndpointSpec<
  P extends OptionalSchema = OptionalSchema,
  Q extends OptionalSchema = OptionalSchema,
  B extends OptionalSchema = OptionalSchema,
  H extends OptionalSchema = OptionalSchema,
  R extends ResponseSpecs = ResponseSpecs,
  N extends Bilingual | undefined = Bilingual | undefined,
> = {
  access: Access;
  /** The operation id in openapi.json, in camelCase. It must not change, because client generators name methods after it. */
  id: string;
  /** Excludes the endpoint from openapi.json, because browsers, load balancers or PSPs call it. */
  undocumented?: true;
  summary: string;
  description?: string;
  /** Path parameters. Values that do not match the schema get 404, like unknown ids. */
  params?: P;
  /** The detail of 404 responses: for malformed path parameters, and when the handler returns undefined. */
  notFound?: N;
  query?: Q;
  body?: B;
  /** A missing body is treated as `{}`. */
  bodyOptional?: true;
  /** Treats '' in an optional field of the body as a missing field, because browsers send '' for empty form fields. */
  ignoresEmptyTexts?: true;
  /** A stricter body schema for openapi.json. The handler rejects other bodies with a problem code of its own. */
  documentedBody?: TSchema;
  headers?: H;
  /** Accepts an Idempotency-Key, which `createOnce` or `toIdempotentRequest` reads. */
  idempotent?: true;
  responses: R;
  /** The operation pays out or waives money: above a threshold it requires a second person's approval and responds with 202. */
  approval?: ApprovalRule<Request<P, Q, B, H>>;
  /** The response contains this resource's pending `approval` while an operation on it awaits a second person. */
  approvalOf?: ApprovalTarget;
  cli?: CliSpec;
  problems?: ProblemFactory[];
  /** A cache of serialized responses, looked up by the raw URL before parsing. */
  cache?: ResponseCache;
  /** Overrides the default of 64 KiB. */
  bodyLimitBytes?: number;
  /** The handler is called before the body is read and reads `request.raw` itself, whatever the content type. */
  rawBody?: true;
  rawContentTypes?: readonly string[];
  handler(
    request: Request<P, Q, B, H>,
    reply: Reply<R>,
  ): HandlerResult<R> | NotFoundResult<N> | Promise<HandlerResult<R> | NotFoundResult<N>>;
};

export type Endpoint = EndpointSpec & { method: Method; url: string };

/** Declares an endpoint and types its handler by its schemas. `route`: 'GET /public/merchants/:slug'. */
export function endpoint<
  P extends OptionalSchema = undefined,
  Q extends OptionalSchema = undefined,
  B extends OptionalSchema = undefined,
  H extends OptionalSchema = undefined,
  const R extends ResponseSpecs = ResponseSpecs,
  N extends Bilingual | undefined = undefined,
>(route: `${Method} /${string}`, spec: EndpointSpec<P, Q, B, H, R, N>): Endpoint {
  const [method, url] = route.split(' ') as [Method, string];
  const endpointSpec = spec as unknown as EndpointSpec;
  const problems = [...(endpointSpec.problems ?? []), ...(endpointSpec.approval ? approvalProblems : [])];
  const specWithProblems = { ...endpointSpec, problems };
  const builtEndpoint = {
    ...(endpointSpec.idempotent ? withIdempotency(specWithProblems) : specWithProblems),
    method,
    url,
  };
  if (!supportsCsv(builtEndpoint)) return builtEndpoint;
  const { properties = {} } = (builtEndpoint.query ?? {}) as { properties?: TProperties };
  const { schema } = builtEndpoint.responses[200] ?? {};
  const reasonParameter = schema && hasCustomerData(schema) ? exportReasonParameter : {};
  return { ...builtEndpoint, query: Type.Object({ ...properties, ...csvParameter, ...reasonParameter }) };
}

/** Declares the header Idempotency-Key with its problems, and the header of a replayed response. */
function withIdempotency(spec: EndpointSpec): EndpointSpec {
  const { properties } = (spec.headers ?? {}) as { properties?: TProperties };
  const declaredResponses = Object.entries(spec.responses);
  const responses = declaredResponses.map(([status, response]) => {
    const isReplayed = status !== '200' || declaredResponses.length === 1;
    const headers = { ...response.headers, ...idempotency.responseHeaders };
    return [status, isReplayed ? { ...response, headers } : response];
  });
  return {
    ...spec,
    headers: Type.Object({ ...idempotency.header.properties, ...properties }),
    problems: [...idempotency.problems, ...(spec.problems ?? [])],
    responses: Object.fromEntries(responses),
  };
}

/** Lists the successful responses of an endpoint, including the 202 of an operation that may require approval. */
export function listResponses({
  responses,
  approval,
  approvalOf,
}: Pick<Endpoint, 'responses' | 'approval' | 'approvalOf'>): ResponseSpecs {
  const { 200: response } = responses;
  if (!approvalOf || !response?.schema)
    return approval ? { ...PENDING_APPROVAL_RESPONSE, ...responses } : responses;
  return { ...responses, 200: { ...response, schema: withPendingApproval(response.schema) } };
}

/** Whether a GET returns 304 to a caller whose copy is current. In the staff API an ETag is only for If-Match. */
export const returnsNotModified = ({ method, access, cache, responses }: Endpoint): boolean =>
  cache !== undefined ||
  (method === 'GET' && responses[200]?.etag === true && access !== 'open' && !isStaffEndpoint({ access }));

export const supportsCsv = ({ responses }: Pick<Endpoint, 'responses'>): boolean =>
  Object.values(responses).some(({ csv }) => csv);

export function buildEndpoints<Deps>(
  factories: Readonly<Record<string, (deps: Deps) => Endpoint>>,
  deps: Deps,
): { partner: Endpoint[]; staff: Endpoint[] } {
  const endpoints = Object.values(factories).map((createEndpoint) => createEndpoint(deps));
  return {
    partner: endpoints.filter((spec) => !isStaffEndpoint(spec)),
    staff: endpoints.filter(isStaffEndpoint),
  };
}
