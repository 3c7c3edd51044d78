/** A kind of refusal that a caller can act on. Its code is stable; its page tells cause and remedy. */
export type ProblemKind = {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  /** For callers who prefer Portuguese. */
  readonly titlePt?: string;
  readonly cause: string;
  readonly remedy: string;
};

export type FieldError = { pointer: string; message: string };

type ProblemExtras = {
  errors?: FieldError[];
  headers?: Record<string, string>;
  /** Further members of the problem body, e.g. the right amount beside `amount_changed`. */
  members?: Record<string, unknown>;
};

/** Thrown anywhere below a handler, answered as RFC 9457 problem details. Anything else thrown is a bug: a bare 500. */
export class Problem extends Error {
  readonly kind: ProblemKind;
  readonly extras: ProblemExtras;
  constructor(kind: ProblemKind, detail: string, extras: ProblemExtras = {}) {
    super(detail);
    this.kind = kind;
    this.extras = extras;
  }
}

export type ProblemMaker = ((detail: string, extras?: ProblemExtras) => Problem) & {
  readonly kind: ProblemKind;
};

/** const notFound = problem({...}); throw notFound('No merchant has this slug.'); */
export function problem(kind: ProblemKind): ProblemMaker {
  return Object.assign((detail: string, extras?: ProblemExtras) => new Problem(kind, detail, extras), {
    kind,
  });
}

export const malformedJson = problem({
  code: 'malformed_json',
  status: 400,
  title: 'The body is not JSON',
  titlePt: 'O corpo da requisição não é JSON',
  cause:
    'The request body could not be read as JSON: a syntax error, an empty body, or a forbidden member name.',
  remedy: 'Send a JSON object in UTF-8 with content-type application/json.',
});

export const validationFailed = problem({
  code: 'validation_failed',
  status: 400,
  title: 'Something in the request is wrong',
  titlePt: 'Há algo errado na requisição',
  cause: 'One or more fields or parameters are missing, unknown, of the wrong type or out of range.',
  remedy: 'Read `errors`: it lists every fault at once, each with a pointer to the field or parameter.',
});

export const notFound = problem({
  code: 'not_found',
  status: 404,
  title: 'There is no such thing',
  titlePt: 'Não encontrado',
  cause: 'The address is wrong, the resource does not exist, or it is not yours to see.',
  remedy: 'Check the path and the identifier. What you may not see answers exactly like what does not exist.',
});

export const methodNotAllowed = problem({
  code: 'method_not_allowed',
  status: 405,
  title: 'The method is not allowed here',
  titlePt: 'Método não permitido neste endereço',
  cause: 'The address exists, but not for this HTTP method.',
  remedy: 'Use one of the methods in the `Allow` header.',
});

export const requestTimeout = problem({
  code: 'request_timeout',
  status: 408,
  title: 'The request took too long to arrive',
  titlePt: 'A requisição demorou demais para chegar',
  cause: 'The whole request was not received in time.',
  remedy: 'Send it again, without pauses.',
});

export const payloadTooLarge = problem({
  code: 'payload_too_large',
  status: 413,
  title: 'The body is too large',
  titlePt: 'O corpo da requisição é grande demais',
  cause: 'Request bodies may have at most 64 KiB, unless the endpoint takes more.',
  remedy: 'Send less: shorten the texts.',
});

export const unsupportedMediaType = problem({
  code: 'unsupported_media_type',
  status: 415,
  title: 'The body is not declared as JSON',
  titlePt: 'O corpo da requisição não foi declarado como JSON',
  cause: 'Bodies are accepted as application/json only.',
  remedy: 'Set the header content-type: application/json.',
});

export const headersTooLarge = problem({
  code: 'headers_too_large',
  status: 431,
  title: 'The address or the headers are too large',
  titlePt: 'O endereço ou os cabeçalhos são grandes demais',
  cause: 'The request line and the headers may have at most 16 KiB together.',
  remedy: 'Shorten the query string or the headers.',
});

export const badRequest = problem({
  code: 'bad_request',
  status: 400,
  title: 'This is not a well-formed HTTP request',
  titlePt: 'A requisição HTTP está malformada',
  cause: 'The request line, a header or the percent-encoding of the address could not be understood.',
  remedy: 'Use an HTTP client library, and percent-encode the address as UTF-8.',
});

export const internalError = problem({
  code: 'internal_error',
  status: 500,
  title: 'Something went wrong on our side',
  titlePt: 'Algo deu errado do nosso lado',
  cause: 'A defect of ours. It has been logged with the request id.',
  remedy: 'Try again later; if it stays, tell us the `request_id`.',
});

export const unavailable = problem({
  code: 'unavailable',
  status: 503,
  title: 'The service cannot answer right now',
  titlePt: 'O serviço não pode responder agora',
  cause: 'The database, or something else the answer needs, is away, restarting or has too much to do.',
  remedy: 'Try again after the seconds given in `Retry-After`.',
});

/** What any endpoint with a body may answer. */
export const bodyProblems: ProblemMaker[] = [malformedJson, payloadTooLarge, unsupportedMediaType];

export const platformProblems: ProblemMaker[] = [
  badRequest,
  malformedJson,
  validationFailed,
  notFound,
  methodNotAllowed,
  requestTimeout,
  payloadTooLarge,
  unsupportedMediaType,
  headersTooLarge,
  internalError,
  unavailable,
];
