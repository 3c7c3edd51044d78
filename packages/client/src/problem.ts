import type { Schemas } from './openapi-schemas.ts';
import type { ProblemCode } from './operations.ts';

type ProblemBody = Schemas['Problem'];

/** The service refused the call: a problem (RFC 9457) with a stable `code`. */
export class ProblemError<C extends string = string> extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  readonly code: C;
  readonly title: string;
  readonly requestId: string;
  /** All fields and parameters that are wrong. */
  readonly errors: NonNullable<ProblemBody['errors']>;
  /** The delay in the header `Retry-After`. */
  readonly retryAfterMs: number | undefined;
  /** The whole problem, with the members that some codes add, such as the correct amount. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Partial<ProblemBody>, retryAfterMs?: number) {
    super(body.detail ?? body.title ?? `The service responded with ${status}.`);
    this.status = status;
    this.code = (body.code ?? 'unknown') as C;
    this.title = body.title ?? '';
    this.requestId = body.request_id ?? '';
    this.errors = body.errors ?? [];
    this.retryAfterMs = retryAfterMs;
    this.body = body;
  }
}

/** Returns whether an error is a problem with one of the codes. Without codes, returns whether it is a problem. */
export function isProblem<C extends ProblemCode>(error: unknown, ...codes: C[]): error is ProblemError<C> {
  // Compares names, because a program that loads this package by import and by require has two such classes.
  if (!(error instanceof Error) || error.name !== 'ProblemError') return false;
  return codes.length === 0 || (codes as readonly string[]).includes((error as ProblemError).code);
}

/** The service could not be reached, or the connection broke. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}
