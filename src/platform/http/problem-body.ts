import type { Problem } from '../problem.ts';

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
  const preferences = ranges
    .map((range) => ({
      language: /^\s*(pt|en)(?![a-z])/.exec(range)?.[1],
      weight: Number(/;\s*q=([0-9.]+)/.exec(range)?.[1] ?? 1),
    }))
    .filter(({ language, weight }) => language !== undefined && weight > 0)
    .toSorted((one, other) => other.weight - one.weight);
  return preferences[0]?.language === 'pt' ? 'pt' : 'en';
}
