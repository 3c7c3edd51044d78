import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { ProblemMaker } from '../problem.ts';
import type { ResponseCache } from './response-cache.ts';

/** Who is calling: filled in by the guard that the endpoint's `access` asks for. */
export type Caller = {
  partnerId: string;
  keyId: string;
  /** Where the request came from, or whom it is for: what limits per address count (see `networkOf`). */
  address: string;
  /** The customer who is logged in and their session: '' unless `access` asks for a customer. */
  customerId: string;
  sessionId: string;
};

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
}

/** Who may call. `open` needs nothing; a scope needs an API key that has it; `customer` also needs a customer's token. */
export type Access = 'open' | { scope: 'public' | 'wallet' | 'operator'; customer?: true };

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One answer an endpoint gives when all goes well. */
export type Answer = {
  description: string;
  schema?: TSchema;
  /** Names of the response headers worth telling of, with what they mean. */
  headers?: Record<string, string>;
  contentType?: string;
};

type Typed<S> = S extends TSchema ? Static<S> : unknown;

export type Request<P, Q, B> = Omit<FastifyRequest, 'params' | 'query' | 'body'> & {
  params: Typed<P>;
  query: Typed<Q>;
  body: Typed<B>;
};

/**
 * An endpoint says everything about itself in one place: address, who may call, what goes in, what comes out, what can
 * go wrong. The route, the validation, the 405 and OPTIONS answers and its chapter of openapi.json all follow from it.
 */
export type Endpoint<
  P extends TSchema | undefined = TSchema | undefined,
  Q extends TSchema | undefined = TSchema | undefined,
  B extends TSchema | undefined = TSchema | undefined,
> = {
  method: Method;
  url: `/${string}`;
  access: Access;
  /** Name of the operation in openapi.json, camelCase, stable: client generators name methods after it. */
  id: string;
  tag: string;
  summary: string;
  description?: string;
  params?: P;
  query?: Q;
  body?: B;
  /** A request without a body is taken as one with `{}`. */
  bodyOptional?: true;
  /** Request headers worth telling of. */
  headers?: Record<string, { description: string; schema: TSchema }>;
  answers: Record<number, Answer>;
  /** What can go wrong beyond what every endpoint shares. */
  problems?: ProblemMaker[];
  /** Answers kept as bytes, looked up by the raw address before anything is parsed. */
  cache?: ResponseCache;
  /** Where the 64 KiB of other bodies are not enough. */
  bodyLimitBytes?: number;
  handler(request: Request<P, Q, B>, reply: FastifyReply): unknown;
};

/** Keeps the types of one endpoint's schemas tied to its handler. */
export function endpoint<
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(spec: Endpoint<P, Q, B>): Endpoint {
  return spec as unknown as Endpoint;
}
