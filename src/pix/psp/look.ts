import { PspRefused, PspUnavailable } from './failures.ts';
import type { Line, Question } from './line.ts';

type Look<T> = {
  question: Question;
  /** null when the answer lacks what the standard requires. */
  read: (body: unknown) => T | null;
  deadlineMs: number;
};

/** Reads one thing, as often as it takes. null: the PSP does not have it. */
export async function look<T>(line: Line, { question, read, deadlineMs }: Look<T>): Promise<T | null> {
  for (let attempt = 1; ; attempt++) {
    const verdict = await line.ask(question, deadlineMs);
    if (verdict.kind === 'refused' && isNotFound(verdict.refusal)) return null;
    if (verdict.kind === 'refused') throw verdict.refusal;
    const found = verdict.kind === 'done' ? read(verdict.body) : null;
    if (found !== null) return found;
    const failure = verdict.kind === 'unavailable' ? verdict.failure : new PspUnavailable('garbled', 'none');
    if (!(await line.mayTryAgain(attempt + 1, failure, deadlineMs))) throw failure;
  }
}

/**
 * The look after a write whose outcome is open. When it fails, or is itself refused, the outcome stays open: that must
 * never pass for a refusal of the write, which would mean that nothing was done.
 */
export async function lookAfterWrite<T>(line: Line, wanted: Look<T>): Promise<T | null> {
  try {
    return await look(line, wanted);
  } catch (error) {
    if (error instanceof PspRefused || error instanceof PspUnavailable)
      throw new PspUnavailable('in_doubt', 'unknown', { cause: error });
    throw error;
  }
}

export function isNotFound({ status }: PspRefused): boolean {
  return status === 404 || status === 410;
}
