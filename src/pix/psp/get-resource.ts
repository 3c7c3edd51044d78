import { PspRefused, PspUnavailable } from './failures.ts';
import type { PspHttp, PspRequest } from './http-client.ts';

type ResourceQuery<T> = {
  request: PspRequest;
  /** null when the answer lacks what the standard requires. */
  read: (body: unknown) => T | null;
  deadlineMs: number;
};

/** Reads one resource, with retries. null: the PSP does not have it. */
export async function getResource<T>(
  http: PspHttp,
  { request, read, deadlineMs }: ResourceQuery<T>,
): Promise<T | null> {
  for (let attempt = 1; ; attempt++) {
    const result = await http.send(request, deadlineMs);
    if (result.kind === 'refused' && isNotFound(result.refusal)) return null;
    if (result.kind === 'refused') throw result.refusal;
    const found = result.kind === 'done' ? read(result.body) : null;
    if (found !== null) return found;
    const failure = result.kind === 'unavailable' ? result.failure : new PspUnavailable('garbled', 'none');
    if (!(await http.waitToRetry(attempt + 1, failure, deadlineMs))) throw failure;
  }
}

/**
 * Reads the result of a write whose outcome is unknown. If this fails or is refused, the outcome stays unknown: it must never
 * count as a refusal of the write, which would mean that nothing was done.
 */
export async function getAfterWrite<T>(http: PspHttp, wanted: ResourceQuery<T>): Promise<T | null> {
  try {
    return await getResource(http, wanted);
  } catch (error) {
    if (error instanceof PspRefused || error instanceof PspUnavailable)
      throw new PspUnavailable('in_doubt', 'unknown', { cause: error });
    throw error;
  }
}

export function isNotFound({ status }: PspRefused): boolean {
  return status === 404 || status === 410;
}
