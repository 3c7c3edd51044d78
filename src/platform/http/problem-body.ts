import type { Problem } from '../problem.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** RFC 9457, with our stable `code` and the request id to quote to support. */
export function problemBody(
  problem: Problem,
  publicUrl: string,
  requestId: string,
  acceptLanguage?: string,
): string {
  const { kind, detail } = problem;
  const { errors, members } = detail;
  const language = preferredLanguage(acceptLanguage);
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

const MOST_LANGUAGES = 20;

/** Of the two languages we have, which the caller would rather read (RFC 9110). English if it does not say. */
export function preferredLanguage(acceptLanguage: string | undefined): 'en' | 'pt' {
  const wishes = (acceptLanguage ?? '').toLowerCase().split(',', MOST_LANGUAGES);
  const weighed = wishes
    .map((wish) => ({
      language: /^\s*(pt|en)(?![a-z])/.exec(wish)?.[1],
      weight: Number(/;\s*q=([0-9.]+)/.exec(wish)?.[1] ?? 1),
    }))
    .filter(({ language, weight }) => language !== undefined && weight > 0)
    .toSorted((one, other) => other.weight - one.weight);
  return weighed[0]?.language === 'pt' ? 'pt' : 'en';
}
