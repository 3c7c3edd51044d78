import { PspRefused, PspUnavailable } from './failures.ts';
import type { PspHttp, PspRequest } from './http-client.ts';

type Address = Pick<PspRequest, 'route' | 'params' | 'query' | 'secrets'>;

/** A resource of the PSP's API. */
export type Resource<T> = {
  address: Address;
  /** Parses a response, also that of a write. Null: a field that the standard requires is missing. */
  parse: (body: unknown) => T | null;
  /** Reads the resource, with retries. Null: the PSP does not have it. */
  get: () => Promise<T | null>;
  /**
   * Reads the resource after a write whose outcome is unknown, within the deadline of that write. If the read fails or is
   * refused, the outcome stays unknown: it must not be reported as a refusal of the write, which would mean that nothing was
   * done.
   */
  getAfterWrite: (deadlineMs: number) => Promise<T | null>;
};

export function createResource<T>(http: PspHttp, address: Address, parse: Resource<T>['parse']): Resource<T> {
  const get = async (deadlineMs: number): Promise<T | null> => {
    for (let attempt = 1; ; attempt++) {
      const result = await http.send({ method: 'GET', ...address }, deadlineMs);
      if (result.kind === 'refused' && isNotFound(result.refusal)) return null;
      if (result.kind === 'refused') throw result.refusal;
      const resource = result.kind === 'done' ? parse(result.body) : null;
      if (resource !== null) return resource;
      const failure = result.kind === 'unavailable' ? result.failure : new PspUnavailable('garbled', 'none');
      if (!(await http.waitToRetry(attempt + 1, failure, deadlineMs))) throw failure;
    }
  };
  return {
    address,
    parse,
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
