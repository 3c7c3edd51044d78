import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import type { Bilingual } from '#core/bilingual.ts';
import type { Cents } from '#core/money.ts';
import type { Problem, ProblemMaker } from '../problem.ts';
import type { Access, MemberRole, Role } from './access.ts';
import { type ApprovalRule, HELD } from './approval.ts';
import { csvParameter } from './csv.ts';
import type { ResponseCache } from './response-cache.ts';
import type { Sent } from './sent.ts';

/** A member of a merchant, and what they may do. */
export type Member = {
  readonly id: string;
  readonly name: string;
  readonly role: MemberRole;
  /** The highest amount of a clerk's offers. Null: no bound. */
  readonly maxAmount: Cents | null;
  readonly mayReturn: boolean;
};

/** The caller, filled in by the guard that the endpoint's `access` requires. */
export type Caller = {
  partnerId: string;
  keyId: string;
  /** Of the key. */
  scopes: readonly string[];
  /** The network the request came from, or whom it is made for: limits per address count it (see `networkOf`). */
  address: string;
  /** The customer who is logged in and their session: '' unless `access` asks for a customer. */
  customerId: string;
  sessionId: string;
  /** The merchant of the key, or of the member who is logged in: 0 unless `access` requires the scope `merchant` or a member. */
  merchantId: number;
  /** The member of the merchant who is logged in: '' and null for a key that is the merchant's own. */
  memberId: string;
  member: Member | null;
  /** Of the key: where the page of an offer made with it may lead back to. */
  returnOrigins: readonly string[];
  /** The operator's person the key belongs to: '' unless `access` requires the scope `operator`. */
  personId: string;
  /** That person's role. */
  role: Role | '';
};

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** The operation id in openapi.json. */
    operation?: string;
    notFound?: Bilingual;
  }
  interface FastifyRequest {
    caller: Caller;
    /** For a 405: the methods that are served. */
    address: string;
    /** The endpoint's 404, for unknown and for malformed ids. */
    notFound(): Problem;
  }
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One successful answer of an endpoint. Without a schema and a content type it has no body. */
export type Answer = {
  description: string;
  schema?: TSchema;
  /** Response headers worth documenting, with their meaning. */
  headers?: Record<string, string>;
  /** Has an `ETag` of the body, for If-Match, unless the handler sets one. */
  etag?: true;
  /** For other types than JSON. The schema of an event stream is that of one event's data. */
  contentType?: string;
  /** With `Accept: text/csv` the answer is streamed as CSV. */
  csv?: true;
};

export type Answers = Record<number, Answer>;

type Body<A> = A extends { contentType: string }
  ? string | Buffer | Readable
  : A extends { schema: infer S extends TSchema }
    ? Static<S> | (A extends { csv: true } ? Readable : never)
    : undefined;

/** Sends a body that fits the schema of the answer. */
type Sender<B> = {
  header(name: string, value: string): Sender<B>;
  type(contentType: string): Sender<B>;
  send(...body: B extends undefined ? [] : [body: B]): Sent;
};

type IsUnion<T, Whole = T> = T extends Whole ? ([Whole] extends [T] ? false : true) : never;

/**
 * An endpoint with one answer returns its body; the status is set automatically. One with several answers chooses:
 * `reply.code(201).send(body)`.
 */
type Returned<A extends Answers> = Sent | (IsUnion<keyof A> extends true ? never : Plain<Body<A[keyof A]>>);
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a body may end without a return
type Plain<B> = B extends undefined ? void : B;

export type Reply<A extends Answers> = Pick<FastifyReply, 'hijack' | 'raw' | 'getHeaders'> &
  (IsUnion<keyof A> extends true
    ? { header(name: string, value: string): Reply<A> }
    : Sender<Body<A[keyof A]>>) & {
    code<S extends keyof A>(status: S): Sender<Body<A[S]>>;
  };

type Typed<S> = S extends TSchema ? Static<S> : unknown;

/** Undefined: not found. */
type Missing<N> = N extends Bilingual ? undefined : never;

export type Request<P, Q, B, H> = Omit<FastifyRequest, 'params' | 'query' | 'body' | 'headers'> & {
  params: Typed<P>;
  query: Typed<Q>;
  body: Typed<B>;
  headers: IncomingHttpHeaders & Typed<H>;
};

type Schema = TSchema | undefined;

/**
 * The complete declaration of an endpoint: address, access, input, answers, problems. The route, the validation, the 405 and
 * OPTIONS answers and its part of openapi.json are derived from it.
 */
type Declared<
  P extends Schema = Schema,
  Q extends Schema = Schema,
  B extends Schema = Schema,
  H extends Schema = Schema,
  A extends Answers = Answers,
  N extends Bilingual | undefined = Bilingual | undefined,
> = {
  access: Access;
  /** The operation id in openapi.json, camelCase, stable: client generators name methods after it. */
  id: string;
  /** For browsers and machines of others: not in openapi.json. */
  undocumented?: true;
  summary: string;
  description?: string;
  /** Parameters that do not match are answered with 404, like unknown ones. */
  params?: P;
  /** Detail of that 404. It is also the answer when a handler returns nothing where a body is declared. */
  notFound?: N;
  query?: Q;
  body?: B;
  /** A request without a body counts as `{}`. */
  bodyOptional?: true;
  /** The body in openapi.json, where the handler itself refuses with a code of its own what this excludes. */
  documentedBody?: TSchema;
  /** Request headers, in lower case. */
  headers?: H;
  answers: A;
  /** The act pays out or gives up money: above a threshold a second person has to approve it, and the answer is 202. */
  approval?: ApprovalRule<Request<P, Q, B, H>>;
  /** Problems beyond those that every endpoint shares. */
  problems?: ProblemMaker[];
  /** A cache of answers as bytes, looked up by the raw address before parsing. */
  cache?: ResponseCache;
  /** Where the default of 64 KiB is too small. */
  bodyLimitBytes?: number;
  /** The handler is called before the body is read, and reads `request.raw` itself, whatever its type. */
  rawBody?: true;
  /** The content types of such a body, for openapi.json. */
  rawTypes?: readonly string[];
  handler(
    request: Request<P, Q, B, H>,
    reply: Reply<A>,
  ): Returned<A> | Missing<N> | Promise<Returned<A> | Missing<N>>;
};

export type Endpoint = Declared & { method: Method; url: string };

/** Types the handler by the endpoint's schemas. `route`: 'GET /public/merchants/:slug'. */
export function endpoint<
  P extends Schema = undefined,
  Q extends Schema = undefined,
  B extends Schema = undefined,
  H extends Schema = undefined,
  const A extends Answers = Answers,
  N extends Bilingual | undefined = undefined,
>(route: `${Method} /${string}`, spec: Declared<P, Q, B, H, A, N>): Endpoint {
  const [method, url] = route.split(' ') as [Method, string];
  const plain = { ...(spec as unknown as Declared), method, url };
  if (!isCsvToo(plain)) return plain;
  const { properties = {} } = (plain.query ?? {}) as { properties?: TProperties };
  return { ...plain, query: Type.Object({ ...properties, ...csvParameter }) };
}

/** Every successful answer, that of an act that waits included. */
export const allAnswers = ({ answers, approval }: Pick<Endpoint, 'answers' | 'approval'>): Answers =>
  approval ? { ...HELD, ...answers } : answers;

/** Whether the answer comes as CSV where that is asked for. */
export const isCsvToo = ({ answers }: Pick<Endpoint, 'answers'>): boolean =>
  Object.values(answers).some(({ csv }) => csv);

/**
 * Binds the endpoints of a module's `http/index.ts` to their dependencies. Those that require an operator's key are at the staff
 * door, all others at the front door.
 */
export function openEndpoints<Deps>(
  makers: Readonly<Record<string, (deps: Deps) => Endpoint>>,
  deps: Deps,
): { front: Endpoint[]; staff: Endpoint[] } {
  const opened = Object.values(makers).map((make) => make(deps));
  const isStaff = ({ access }: Endpoint) => access !== 'open' && access.scope === 'operator';
  return { front: opened.filter((spec) => !isStaff(spec)), staff: opened.filter(isStaff) };
}
