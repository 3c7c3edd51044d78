import type { Bilingual } from '#core/values/bilingual.ts';

/** A kind of error that the caller can act on. Its code is stable, and a page explains its cause and remedy. */
export type ProblemKind = {
  readonly code: string;
  readonly status: number;
  readonly title: Bilingual;
  readonly cause: string;
  readonly remedy: string;
  readonly headers?: Record<string, string>;
};

/** `pointer` is a JSON Pointer (RFC 6901): '' for the whole body, or a slash and the name of a parameter. */
export type FieldError = { pointer: string; message: Bilingual };

export type Detail = Bilingual & {
  readonly errors?: readonly FieldError[];
  readonly headers?: Record<string, string>;
  /** Additional members of the response body, e.g. the correct amount for `amount_changed`. */
  readonly members?: Record<string, unknown>;
};

/** An error that is returned as RFC 9457 problem details. Any other error is a bug, and its response is a bare 500. */
export class Problem extends Error {
  readonly kind: ProblemKind;
  readonly detail: Detail;
  constructor(kind: ProblemKind, detail: Detail) {
    super(detail.en);
    this.kind = kind;
    this.detail = detail;
  }
}

export type ProblemFactory<Parameters extends unknown[] = never[]> = ((...args: Parameters) => Problem) & {
  readonly kind: ProblemKind;
};

/**
 * Defines a problem and returns its factory. `detail` is a text, or a function whose parameters become those of the factory. If it is omitted,
 * the factory has an optional detail, which defaults to the title as a sentence.
 */
export function defineProblem(declaration: ProblemKind & { detail: Detail }): ProblemFactory<[]>;
export function defineProblem<Parameters extends unknown[]>(
  declaration: ProblemKind & { detail: (...args: Parameters) => Detail },
): ProblemFactory<Parameters>;
export function defineProblem(declaration: ProblemKind): ProblemFactory<[detail?: Detail]>;
export function defineProblem(
  declaration: ProblemKind & { detail?: Detail | ((...args: never[]) => Detail) },
): ProblemFactory {
  const { detail, ...kind } = declaration;
  const titleSentence = { en: `${kind.title.en}.`, pt: `${kind.title.pt}.` };
  const buildDetail =
    typeof detail === 'function'
      ? (detail as (...args: unknown[]) => Detail)
      : (customDetail?: unknown) => detail ?? (customDetail as Detail | undefined) ?? titleSentence;
  return Object.assign((...args: unknown[]) => new Problem(kind, buildDetail(...args)), { kind });
}

/** Adds the seconds until a retry to the text, and the header Retry-After. */
export const withRetryAfter = (seconds: number | string, { en, pt }: Bilingual): Detail => ({
  en: `${en} Try again in ${seconds} s.`,
  pt: `${pt} Tente de novo em ${seconds} s.`,
  headers: { 'retry-after': String(seconds) },
});

const JSON_ERRORS = {
  empty: { en: 'The body is empty', pt: 'O corpo da requisição está vazio' },
  syntax: { en: 'The body is not well-formed JSON', pt: 'O corpo da requisição não é um JSON bem formado' },
  encoding: { en: 'The body is not valid UTF-8', pt: 'O corpo da requisição não está em UTF-8' },
  member_name: {
    en: 'The body has a forbidden member name (__proto__ or constructor)',
    pt: 'O corpo da requisição tem um nome de campo proibido (__proto__ ou constructor)',
  },
};

export const malformedJson = defineProblem({
  code: 'malformed_json',
  status: 400,
  title: { en: 'The body is not JSON', pt: 'O corpo da requisição não é JSON' },
  cause:
    'The request body could not be parsed as JSON: it has a syntax error or a forbidden member name, is not UTF-8, or is empty.',
  remedy:
    'Send a JSON object in UTF-8 with content-type application/json. The detail says where parsing stopped.',
  detail: (reason: keyof typeof JSON_ERRORS, position?: { line: number; column: number }) => {
    const { en, pt } = JSON_ERRORS[reason];
    if (!position) return { en: `${en}.`, pt: `${pt}.` };
    const { line, column } = position;
    return {
      en: `${en}. Parsing stopped at line ${line}, column ${column}.`,
      pt: `${pt}. A leitura parou na linha ${line}, coluna ${column}.`,
    };
  },
});

const PORTUGUESE_LOCATIONS = {
  body: 'no corpo da requisição',
  query: 'nos parâmetros',
  headers: 'nos cabeçalhos',
  request: 'na requisição',
  purchase: 'na compra',
  'API key': 'na chave',
};

export const describeErrorCount = (
  location: keyof typeof PORTUGUESE_LOCATIONS,
  count: number,
): Bilingual => ({
  en: `${count === 1 ? 'There is an error' : `There are ${count} errors`} in the ${location}.`,
  pt: `${count === 1 ? 'Há um erro' : `Há ${count} erros`} ${PORTUGUESE_LOCATIONS[location]}.`,
});

export const validationFailed = defineProblem({
  code: 'validation_failed',
  status: 400,
  title: { en: 'The request is invalid', pt: 'Há algo errado na requisição' },
  cause: 'One or more fields or parameters are missing, unknown, of the wrong type or out of range.',
  remedy: 'Read `errors`, which lists all errors, each with a pointer to the field or parameter.',
  detail: (errors: readonly FieldError[], text: Bilingual = describeErrorCount('body', errors.length)) => ({
    ...text,
    errors,
  }),
});

export const invalidField = (pointer: string, message: Bilingual, text?: Bilingual): Problem =>
  validationFailed([{ pointer, message }], text);

export const notFound = defineProblem({
  code: 'not_found',
  status: 404,
  title: { en: 'Not found', pt: 'Não encontrado' },
  cause: 'The URL is wrong, the resource does not exist, or you may not see it.',
  remedy:
    'Check the path and the identifier. A resource that you may not see gets the same response as one that does not exist.',
});

export const methodNotAllowed = defineProblem({
  code: 'method_not_allowed',
  status: 405,
  title: { en: 'The method is not allowed', pt: 'Método não permitido neste endereço' },
  cause: 'The URL exists, but does not support this HTTP method.',
  remedy: 'Use one of the methods in the `Allow` header.',
  detail: (method: string, allowedMethods: string) => ({
    en: `${method} is not allowed at this URL; allowed methods: ${allowedMethods}.`,
    pt: `${method} não é aceito neste endereço; aceitos: ${allowedMethods}.`,
  }),
});

export const requestTimeout = defineProblem({
  code: 'request_timeout',
  status: 408,
  title: { en: 'The request took too long to arrive', pt: 'A requisição demorou demais para chegar' },
  cause: 'The request was not received completely in time.',
  remedy: 'Send the request again, without pauses.',
});

export const payloadTooLarge = defineProblem({
  code: 'payload_too_large',
  status: 413,
  title: { en: 'The body is too large', pt: 'O corpo da requisição é grande demais' },
  cause: 'Request bodies are limited to 64 KiB, unless the endpoint accepts more.',
  remedy: 'Send a smaller body.',
  detail: (maxBytes: number) => ({
    en: `The body has more than ${maxBytes} bytes.`,
    pt: `O corpo da requisição tem mais de ${maxBytes} bytes.`,
  }),
});

export const unsupportedMediaType = defineProblem({
  code: 'unsupported_media_type',
  status: 415,
  title: { en: 'The content type is not JSON', pt: 'O corpo da requisição não foi declarado como JSON' },
  cause: 'Bodies are accepted as application/json only, and not compressed.',
  remedy: 'Set the header content-type: application/json, and send the body without content-encoding.',
  detail: (header: 'content_type' | 'content_encoding') =>
    header === 'content_type'
      ? {
          en: 'The body must be sent as application/json.',
          pt: 'O corpo deve ser enviado como application/json.',
        }
      : {
          en: 'The body must be sent as application/json without content-encoding: compressed bodies are not accepted.',
          pt: 'O corpo deve ser enviado como application/json, sem content-encoding: não aceitamos corpos comprimidos.',
          headers: { 'accept-encoding': 'identity' },
        },
});

export const headersTooLarge = defineProblem({
  code: 'headers_too_large',
  status: 431,
  title: {
    en: 'The URL or the headers are too large',
    pt: 'O endereço ou os cabeçalhos são grandes demais',
  },
  cause: 'The request line and the headers are limited to 16 KiB together.',
  remedy: 'Shorten the query string or the headers.',
  detail: {
    en: 'The URL and the headers together have more than 16 KiB.',
    pt: 'O endereço e os cabeçalhos somam mais de 16 KiB.',
  },
});

export const badRequest = defineProblem({
  code: 'bad_request',
  status: 400,
  title: { en: 'The HTTP request is malformed', pt: 'A requisição HTTP está malformada' },
  cause: 'The request line, a header or the percent-encoding of the URL is invalid.',
  remedy: 'Use an HTTP client library, and percent-encode the URL as UTF-8.',
});

export const internalError = defineProblem({
  code: 'internal_error',
  status: 500,
  title: { en: 'Something went wrong on our side', pt: 'Algo deu errado do nosso lado' },
  cause: 'A bug in our service. It has been logged with the request id.',
  remedy: 'Try again later. If it persists, contact us with the `request_id`.',
  detail: {
    en: 'Something went wrong on our side. The error has been logged with this request id.',
    pt: 'Algo deu errado do nosso lado. O erro foi registrado com este request_id.',
  },
});

export const unavailable = defineProblem({
  code: 'unavailable',
  status: 503,
  title: { en: 'The service is temporarily unavailable', pt: 'O serviço não pode responder agora' },
  cause: 'The database or another dependency is unavailable, restarting or overloaded.',
  remedy: 'Try again after the seconds given in `Retry-After`.',
});

export const fileRefused = defineProblem({
  code: 'file_refused',
  status: 422,
  title: { en: 'The file was rejected', pt: 'Nada do arquivo foi aproveitado' },
  cause: 'The file cannot be read, or it has invalid lines and is accepted only if all lines are valid.',
  remedy: 'Send it with `dry_run`, which lists the errors with their lines, and correct them.',
  detail: (reason: Bilingual | { lines: number }) =>
    'lines' in reason
      ? { en: `${reason.lines} lines are invalid.`, pt: `${reason.lines} linhas têm erros.` }
      : reason,
});

export const bodyProblems: ProblemFactory[] = [malformedJson, payloadTooLarge, unsupportedMediaType];
