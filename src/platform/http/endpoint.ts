import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import type { Bilingual } from '#core/bilingual.ts';
import type { Problem, ProblemMaker } from '../problem.ts';
import type { Access, Role } from './access.ts';
import { csvParameter } from './csv.ts';
import type { ResponseCache } from './response-cache.ts';
import type { Sent } from './sent.ts';

/** Who is calling: filled in by the guard that the endpoint's `access` asks for. */
export type Caller = {
  partnerId: string;
  keyId: string;
  /** Of the key. */
  scopes: readonly string[];
  /** Where the request came from, or whom it is for: what limits per address count (see `networkOf`). */
  address: string;
  /** The customer who is logged in and their session: '' unless `access` asks for a customer. */
  customerId: string;
  sessionId: string;
  /** The merchant the key is bound to: 0 unless `access` asks for the scope `merchant`. */
  merchantId: number;
  /** Who of the operator's people the key belongs to: '' unless `access` asks for the scope `operator`. */
  personId: string;
  /** What that person may do. */
  role: Role | '';
};

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** What the endpoint is called in openapi.json. */
    operation?: string;
    notFound?: Bilingual;
  }
  interface FastifyRequest {
    caller: Caller;
    /** Where a method was tried that is not served there. */
    address: string;
    /** The endpoint's 404: for an id that is not known, the same as for one that cannot be. */
    notFound(): Problem;
  }
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One answer an endpoint gives when all goes well. Without a schema and a content type it has no body. */
export type Answer = {
  description: string;
  schema?: TSchema;
  /** Names of the response headers worth telling of, with what they mean. */
  headers?: Record<string, string>;
  /** Goes with an `ETag` of the body, for If-Match, unless the handler sets one. */
  etag?: true;
  /** Where it is not JSON. The schema of a stream of events is that of one event's data. */
  contentType?: string;
  /** With `Accept: text/csv` it is a stream of comma separated values instead. */
  csv?: true;
};

export type Answers = Record<number, Answer>;

type Body<A> = A extends { contentType: string }
  ? string | Buffer | Readable
  : A extends { schema: infer S extends TSchema }
    ? Static<S> | (A extends { csv: true } ? Readable : never)
    : undefined;

/** Sends a body that the schema of the answer allows. */
type Sender<B> = {
  header(name: string, value: string): Sender<B>;
  type(contentType: string): Sender<B>;
  send(...body: B extends undefined ? [] : [body: B]): Sent;
};

type IsUnion<T, Whole = T> = T extends Whole ? ([Whole] extends [T] ? false : true) : never;

/**
 * An endpoint with one answer returns its body, and its status is set for it. One with several says which it is:
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

/** Nothing: there is no such thing. */
type Missing<N> = N extends Bilingual ? undefined : never;

export type Request<P, Q, B, H> = Omit<FastifyRequest, 'params' | 'query' | 'body' | 'headers'> & {
  params: Typed<P>;
  query: Typed<Q>;
  body: Typed<B>;
  headers: IncomingHttpHeaders & Typed<H>;
};

type Schema = TSchema | undefined;

/**
 * An endpoint says everything about itself in one place: address, who may call, what goes in, what comes out, what can
 * go wrong. The route, the validation, the 405 and OPTIONS answers and its chapter of openapi.json all follow from it.
 */
export type Endpoint<
  P extends Schema = Schema,
  Q extends Schema = Schema,
  B extends Schema = Schema,
  H extends Schema = Schema,
  A extends Answers = Answers,
  N extends Bilingual | undefined = Bilingual | undefined,
> = {
  method: Method;
  url: `/${string}`;
  access: Access;
  /** Name of the operation in openapi.json, camelCase, stable: client generators name methods after it. */
  id: string;
  tag: string;
  summary: string;
  description?: string;
  /** What does not match is answered like what is not known: 404. */
  params?: P;
  /** Detail of that 404. It is also the answer of a handler that returns nothing where there is to be a body. */
  notFound?: N;
  query?: Q;
  body?: B;
  /** A request without a body is taken as one with `{}`. */
  bodyOptional?: true;
  /** The body as openapi.json has it, where the handler refuses with a code of its own what this rules out. */
  documentedBody?: TSchema;
  /** Request headers, in lower case. */
  headers?: H;
  answers: A;
  /** What can go wrong beyond what every endpoint shares. */
  problems?: ProblemMaker[];
  /** Answers kept as bytes, looked up by the raw address before anything is parsed. */
  cache?: ResponseCache;
  /** Where the 64 KiB of other bodies are not enough. */
  bodyLimitBytes?: number;
  /** The handler is called before anything of the body is read, and reads `request.raw` itself, whatever its type. */
  rawBody?: true;
  /** What such a body may be, for openapi.json. */
  rawTypes?: readonly string[];
  handler(
    request: Request<P, Q, B, H>,
    reply: Reply<A>,
  ): Returned<A> | Missing<N> | Promise<Returned<A> | Missing<N>>;
};

/** Keeps the types of one endpoint's schemas tied to its handler. */
export function endpoint<
  P extends Schema = undefined,
  Q extends Schema = undefined,
  B extends Schema = undefined,
  H extends Schema = undefined,
  const A extends Answers = Answers,
  N extends Bilingual | undefined = undefined,
>(spec: Endpoint<P, Q, B, H, A, N>): Endpoint {
  const plain = spec as unknown as Endpoint;
  if (!isCsvToo(plain)) return plain;
  const { properties = {} } = (plain.query ?? {}) as { properties?: TProperties };
  return { ...plain, query: Type.Object({ ...properties, ...csvParameter }) };
}

/** Whether the answer comes as CSV where that is asked for. */
export const isCsvToo = ({ answers }: Pick<Endpoint, 'answers'>): boolean =>
  Object.values(answers).some(({ csv }) => csv);

/**
 * Opens a module's endpoints, which its `http/index.ts` lists, with what they need. Those that ask for an operator's key are at
 * the staff door, all others at the front door.
 */
export function openEndpoints<Deps>(
  makers: Readonly<Record<string, (deps: Deps) => Endpoint>>,
  deps: Deps,
): { front: Endpoint[]; staff: Endpoint[] } {
  const opened = Object.values(makers).map((make) => make(deps));
  const isStaff = ({ access }: Endpoint) => access !== 'open' && access.scope === 'operator';
  return { front: opened.filter((spec) => !isStaff(spec)), staff: opened.filter(isStaff) };
}
