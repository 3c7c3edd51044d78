import type { FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '../database/db.ts';
import {
  badRequest,
  internalError,
  malformedJson,
  notFound,
  Problem,
  payloadTooLarge,
  unavailable,
  unsupportedMediaType,
} from '../problem.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

export function buildProblemBody(
  problem: Problem,
  publicUrl: string,
  requestId: string,
  acceptLanguage?: string,
): string {
  const { kind, detail } = problem;
  const { errors, members } = detail;
  const language = negotiateLanguage(acceptLanguage);
  return JSON.stringify({
    type: `${publicUrl}/errors/${kind.code}`,
    title: kind.title[language],
    status: kind.status,
    detail: detail[language],
    code: kind.code,
    request_id: requestId,
    ...(errors && {
      errors: errors.map(({ pointer, message }) => ({ pointer, message: message[language] })),
    }),
    ...members,
  });
}

const MAX_LANGUAGES = 20;

/** Chooses the language of a response from Accept-Language (RFC 9110). The default is English. */
export function negotiateLanguage(acceptLanguage: string | undefined): 'en' | 'pt' {
  const ranges = (acceptLanguage ?? '').toLowerCase().split(',', MAX_LANGUAGES);
  const [firstPreference] = ranges
    .map((range) => ({
      language: /^\s*(pt|en)(?![a-z])/.exec(range)?.[1],
      weight: Number(/;\s*q=([0-9.]+)/.exec(range)?.[1] ?? 1),
    }))
    .filter(({ language, weight }) => language !== undefined && weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
  return firstPreference?.language === 'pt' ? 'pt' : 'en';
}

const RETRY_AFTER_SECONDS = '2';
export const RESOURCE_NOT_FOUND = {
  en: 'There is no resource at this URL.',
  pt: 'Não há nada neste endereço.',
};

/** Translates errors of Fastify and of the database into problems. Any other error is a bug. */
export function toProblem(error: Error, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DatabaseUnavailable) {
    return unavailable({
      en: 'The database is unavailable. Try again in a moment.',
      pt: 'O banco de dados está fora do ar. Tente de novo em instantes.',
      headers: { 'retry-after': RETRY_AFTER_SECONDS },
    });
  }
  const { code, statusCode } = error as Error & { code?: string; statusCode?: number };
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return payloadTooLarge(request.routeOptions.bodyLimit);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedMediaType('content_type');
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return malformedJson('empty');
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return malformedJson('syntax');
    case 'FST_ERR_BAD_URL':
      return badRequest({
        en: 'The URL is not percent-encoded correctly.',
        pt: 'O endereço tem caracteres mal codificados (percent-encoding).',
      });
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notFound(RESOURCE_NOT_FOUND);
  }
  // A media file that is not served (a directory or dotfile) gets the same response as a missing one.
  if (statusCode === 403) return notFound(RESOURCE_NOT_FOUND);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return badRequest({ en: 'The request is not well-formed.', pt: 'A requisição está malformada.' });
  return internalError();
}
