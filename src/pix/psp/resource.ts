import { PspRefused, PspUnavailable } from './failures.ts';
import type { PspHttp, PspRequest } from './http-client.ts';

type Address = Pick<PspRequest, 'route' | 'params' | 'query' | 'secrets'>;

/** Something at the PSP that is read at an address. */
export type Resource<T> = {
  at: Address;
  /** From an answer, also that of a write; null when it lacks what the standard requires. */
  read: (body: unknown) => T | null;
  /** With retries. null: the PSP does not have it. */
  get: () => Promise<T | null>;
  /**
   * The same after a write whose outcome is unknown, within its deadline. If this fails or is refused, the outcome stays unknown: it
   * must never count as a refusal of the write, which would mean that nothing was done.
   */
  getAfterWrite: (deadlineMs: number) => Promise<T | null>;
};

export function resourceAt<T>(http: PspHttp, at: Address, read: Resource<T>['read']): Resource<T> {
  const get = async (deadlineMs: number): Promise<T | null> => {
    for (let attempt = 1; ; attempt++) {
      const result = await http.send({ method: 'GET', ...at }, deadlineMs);
      if (result.kind === 'refused' && isNotFound(result.refusal)) return null;
      if (result.kind === 'refused') throw result.refusal;
      const found = result.kind === 'done' ? read(result.body) : null;
      if (found !== null) return found;
      const failure = result.kind === 'unavailable' ? result.failure : new PspUnavailable('garbled', 'none');
      if (!(await http.waitToRetry(attempt + 1, failure, deadlineMs))) throw failure;
    }
  };
  return {
    at,
    read,
    get: () => get(http.deadline()),
    async getAfterWrite(deadlineMs) {
      try {
        return await get(deadlineMs);
      } catch (error) {
        if (error instanceof PspRefused || error instanceof PspUnavailable)
          throw new PspUnavailable('in_doubt', 'unknown', { cause: error });
        throw error;
      }
    },
  };
}

export function isNotFound({ status }: PspRefused): boolean {
  return status === 404 || status === 410;
}
