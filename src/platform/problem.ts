import type { Bilingual } from '#core/bilingual.ts';

/** A kind of refusal that a caller can act on. Its code is stable; its page tells cause and remedy. */
export type ProblemKind = {
  readonly code: string;
  readonly status: number;
  readonly title: Bilingual;
  readonly cause: string;
  readonly remedy: string;
  /** Headers that every answer of this kind has. */
  readonly headers?: Record<string, string>;
};

/** What is wrong with one field or parameter. */
export type FieldError = { pointer: string; message: Bilingual };

/** What one answer adds to its kind. */
export type Detail = Bilingual & {
  readonly errors?: readonly FieldError[];
  readonly headers?: Record<string, string>;
  /** Further members of the problem body, e.g. the right amount beside `amount_changed`. */
  readonly members?: Record<string, unknown>;
};

/** Thrown anywhere below a handler, answered as RFC 9457 problem details. Anything else thrown is a bug: a bare 500. */
export class Problem extends Error {
  readonly kind: ProblemKind;
  readonly detail: Detail;
  constructor(kind: ProblemKind, detail: Detail) {
    super(detail.en);
    this.kind = kind;
    this.detail = detail;
  }
}

export type ProblemMaker<Parameters extends unknown[] = never[]> = ((...given: Parameters) => Problem) & {
  readonly kind: ProblemKind;
};

/**
 * Declares a kind of problem with its texts in both languages. `detail` is a text or a function of typed parameters, which are
 * those of the maker: `throw tooManyInstallments(12)`. A kind without `detail` takes it where it is thrown.
 */
export function defineProblem(declared: ProblemKind & { detail: Detail }): ProblemMaker<[]>;
export function defineProblem<Parameters extends unknown[]>(
  declared: ProblemKind & { detail: (...given: Parameters) => Detail },
): ProblemMaker<Parameters>;
export function defineProblem(declared: ProblemKind): ProblemMaker<[detail: Detail]>;
export function defineProblem({
  detail = (given: Detail) => given,
  ...kind
}: ProblemKind & { detail?: Detail | ((given: never) => Detail) }): ProblemMaker {
  const detailOf = typeof detail === 'function' ? (detail as (...given: unknown[]) => Detail) : () => detail;
  return Object.assign((...given: unknown[]) => new Problem(kind, detailOf(...given)), { kind });
}

/** A text that ends with when to try again, and the header Retry-After. */
export const retryIn = (seconds: number | string, { en, pt }: Bilingual): Detail => ({
  en: `${en} Try again in ${seconds} s.`,
  pt: `${pt} Tente de novo em ${seconds} s.`,
  headers: { 'retry-after': String(seconds) },
});

export const malformedJson = defineProblem({
  code: 'malformed_json',
  status: 400,
  title: { en: 'The body is not JSON', pt: 'O corpo da requisição não é JSON' },
  cause:
    'The request body could not be read as JSON: a syntax error, an empty body, or a forbidden member name.',
  remedy: 'Send a JSON object in UTF-8 with content-type application/json.',
  detail: (fault: 'empty' | 'malformed') =>
    fault === 'empty'
      ? { en: 'The body is empty.', pt: 'O corpo da requisição está vazio.' }
      : { en: 'The body is not well-formed JSON.', pt: 'O corpo da requisição não é um JSON bem formado.' },
});

const PLACES = {
  body: 'no corpo da requisição',
  query: 'nos parâmetros',
  headers: 'nos cabeçalhos',
  request: 'na requisição',
  purchase: 'na compra',
  key: 'na chave',
};

/** Where a request has faults, and how many. */
export const faultsIn = (place: keyof typeof PLACES, count: number): Bilingual => ({
  en: `${count === 1 ? 'A fault' : `${count} faults`} in the ${place}.`,
  pt: `${count === 1 ? 'Há um erro' : `Há ${count} erros`} ${PLACES[place]}.`,
});

export const validationFailed = defineProblem({
  code: 'validation_failed',
  status: 400,
  title: { en: 'Something in the request is wrong', pt: 'Há algo errado na requisição' },
  cause: 'One or more fields or parameters are missing, unknown, of the wrong type or out of range.',
  remedy: 'Read `errors`: it lists every fault at once, each with a pointer to the field or parameter.',
  detail: (errors: readonly FieldError[], text: Bilingual = faultsIn('body', errors.length)) => ({
    ...text,
    errors,
  }),
});

export const notFound = defineProblem({
  code: 'not_found',
  status: 404,
  title: { en: 'There is no such thing', pt: 'Não encontrado' },
  cause: 'The address is wrong, the resource does not exist, or it is not yours to see.',
  remedy: 'Check the path and the identifier. What you may not see answers exactly like what does not exist.',
});

export const methodNotAllowed = defineProblem({
  code: 'method_not_allowed',
  status: 405,
  title: { en: 'The method is not allowed here', pt: 'Método não permitido neste endereço' },
  cause: 'The address exists, but not for this HTTP method.',
  remedy: 'Use one of the methods in the `Allow` header.',
  detail: (method: string, allowed: string) => ({
    en: `${method} is not possible here; ${allowed} are.`,
    pt: `${method} não é aceito neste endereço; aceitos: ${allowed}.`,
  }),
});

export const requestTimeout = defineProblem({
  code: 'request_timeout',
  status: 408,
  title: { en: 'The request took too long to arrive', pt: 'A requisição demorou demais para chegar' },
  cause: 'The whole request was not received in time.',
  remedy: 'Send it again, without pauses.',
  detail: {
    en: 'The request did not arrive whole in time.',
    pt: 'A requisição não chegou inteira a tempo.',
  },
});

export const payloadTooLarge = defineProblem({
  code: 'payload_too_large',
  status: 413,
  title: { en: 'The body is too large', pt: 'O corpo da requisição é grande demais' },
  cause: 'Request bodies may have at most 64 KiB, unless the endpoint takes more.',
  remedy: 'Send less: shorten the texts.',
  detail: (mostBytes: number, headers: Record<string, string> = {}) => ({
    en: `The body has more than ${mostBytes} bytes.`,
    pt: `O corpo da requisição tem mais de ${mostBytes} bytes.`,
    headers,
  }),
});

export const unsupportedMediaType = defineProblem({
  code: 'unsupported_media_type',
  status: 415,
  title: { en: 'The body is not declared as JSON', pt: 'O corpo da requisição não foi declarado como JSON' },
  cause: 'Bodies are accepted as application/json only.',
  remedy: 'Set the header content-type: application/json.',
  detail: {
    en: 'The body must be sent as application/json.',
    pt: 'O corpo deve ser enviado como application/json.',
  },
});

export const headersTooLarge = defineProblem({
  code: 'headers_too_large',
  status: 431,
  title: {
    en: 'The address or the headers are too large',
    pt: 'O endereço ou os cabeçalhos são grandes demais',
  },
  cause: 'The request line and the headers may have at most 16 KiB together.',
  remedy: 'Shorten the query string or the headers.',
  detail: {
    en: 'The address and headers together have more than 16 KiB.',
    pt: 'O endereço e os cabeçalhos somam mais de 16 KiB.',
  },
});

export const badRequest = defineProblem({
  code: 'bad_request',
  status: 400,
  title: { en: 'This is not a well-formed HTTP request', pt: 'A requisição HTTP está malformada' },
  cause: 'The request line, a header or the percent-encoding of the address could not be understood.',
  remedy: 'Use an HTTP client library, and percent-encode the address as UTF-8.',
});

export const internalError = defineProblem({
  code: 'internal_error',
  status: 500,
  title: { en: 'Something went wrong on our side', pt: 'Algo deu errado do nosso lado' },
  cause: 'A defect of ours. It has been logged with the request id.',
  remedy: 'Try again later; if it stays, tell us the `request_id`.',
  detail: {
    en: 'Something went wrong on our side. It has been logged under this request id.',
    pt: 'Algo deu errado do nosso lado. O erro foi registrado com este request_id.',
  },
});

export const unavailable = defineProblem({
  code: 'unavailable',
  status: 503,
  title: { en: 'The service cannot answer right now', pt: 'O serviço não pode responder agora' },
  cause: 'The database, or something else the answer needs, is away, restarting or has too much to do.',
  remedy: 'Try again after the seconds given in `Retry-After`.',
});

export const fileRefused = defineProblem({
  code: 'file_refused',
  status: 422,
  title: { en: 'Nothing of the file is used', pt: 'Nada do arquivo foi aproveitado' },
  cause: 'It cannot be read as a whole, or some lines of a file that is used whole or not at all are wrong.',
  remedy: 'Try it with `dry_run`, which lists the faults with their lines, and mend those.',
  detail: (why: Bilingual | { lines: number }) =>
    'lines' in why ? { en: `${why.lines} lines are wrong.`, pt: `${why.lines} linhas têm erros.` } : why,
});

/** What any endpoint with a body may answer. */
export const bodyProblems: ProblemMaker[] = [malformedJson, payloadTooLarge, unsupportedMediaType];
