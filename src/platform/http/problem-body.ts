import type { Problem } from '../problem.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** RFC 9457, with our stable `code` and the id to quote when asking for help. */
export function problemBody(problem: Problem, publicUrl: string, requestId: string): string {
  const { kind, extras } = problem;
  return JSON.stringify({
    type: `${publicUrl}/errors/${kind.code}`,
    title: kind.title,
    status: kind.status,
    detail: problem.message,
    code: kind.code,
    request_id: requestId,
    ...(extras.errors && { errors: extras.errors }),
    ...extras.members,
  });
}
