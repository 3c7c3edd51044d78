import type { Problem } from '../problem.ts';
import type { Translate } from './portuguese.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** RFC 9457, with our stable `code` and the id to quote when asking for help. */
export function problemBody(
  problem: Problem,
  publicUrl: string,
  requestId: string,
  { translate, acceptLanguage }: { translate?: Translate; acceptLanguage?: string | undefined } = {},
): string {
  const { kind, extras } = problem;
  const isPortuguese = prefersPortuguese(acceptLanguage);
  const told = (text: string) => (isPortuguese && translate?.(text)) || text;
  return JSON.stringify({
    type: `${publicUrl}/errors/${kind.code}`,
    title: (isPortuguese && kind.titlePt) || kind.title,
    status: kind.status,
    detail: told(problem.message),
    code: kind.code,
    request_id: requestId,
    ...(extras.errors && {
      errors: extras.errors.map(({ pointer, message }) => ({ pointer, message: told(message) })),
    }),
    ...extras.members,
  });
}

const MOST_LANGUAGES = 20;

/** Of the two languages we have, which the caller would rather read (RFC 9110). English if it does not say. */
function prefersPortuguese(acceptLanguage: string | undefined): boolean {
  const wishes = (acceptLanguage ?? '').toLowerCase().split(',', MOST_LANGUAGES);
  const weighed = wishes
    .map((wish) => ({
      language: /^\s*(pt|en)(?![a-z])/.exec(wish)?.[1],
      weight: Number(/;\s*q=([0-9.]+)/.exec(wish)?.[1] ?? 1),
    }))
    .filter(({ language, weight }) => language !== undefined && weight > 0)
    .toSorted((one, other) => other.weight - one.weight);
  return weighed[0]?.language === 'pt';
}
