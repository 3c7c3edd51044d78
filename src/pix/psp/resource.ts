import { isPspError, type PspRefused, PspUnavailable } from './failures.ts';
import type { PspHttp, PspRequest } from './http-client.ts';

type Address = Pick<PspRequest, 'route' | 'params' | 'query' | 'secrets'>;

export type Resource<T> = {
  address: Address;
  /** Parses a response, also that of a write. Returns null if a field that the standard requires is missing. */
  parse: (body: unknown) => T | null;
  /** Reads the resource, with retries. Returns null if the PSP does not have it. */
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
      const failure =
        result.kind === 'unavailable' ? result.failure : new PspUnavailable('garbled', { effect: 'none' });
      if (!(await http.waitToRetry(attempt + 1, failure, deadlineMs))) throw failure;
    }
  };
  return {
    address,
    parse,
    get: () => get(http.computeDeadlineMs()),
    async getAfterWrite(deadlineMs) {
      try {
        return await get(deadlineMs);
      } catch (error) {
        if (!isPspError(error)) throw error;
        throw new PspUnavailable('in_doubt', { effect: 'unknown', cause: error });
      }
    },
  };
}

const isNotFound = ({ status }: PspRefused): boolean => status === 404 || status === 410;

/** How to obtain the result of a write: from its response, or by a separate read. */
type OutcomeReader<T> = Pick<Resource<T>, 'parse' | 'getAfterWrite'> & {
  /** Whether a refusal with this status may mean "exists already": 400 by the standard; PSPs also use 409 and 422. */
  mayExist?: (status: number) => boolean;
};

/** `readFirst`: reads before writing, because an earlier call may have succeeded. */
export type WriteOptions = { readFirst?: boolean };

/**
 * Creates a resource, once. The caller must have stored its id, so that the same call with `readFirst` can complete an interrupted
 * one. After a missing response, or a refusal that may mean "exists already", a read decides.
 */
export async function createOnce<T>(
  http: PspHttp,
  request: PspRequest,
  { parse, getAfterWrite, mayExist = (status) => [400, 409, 422].includes(status) }: OutcomeReader<T>,
  { readFirst = false }: WriteOptions = {},
): Promise<T> {
  const deadlineMs = http.computeDeadlineMs();
  if (readFirst) {
    const existingResource = await getAfterWrite(deadlineMs);
    if (existingResource) return existingResource;
  }
  for (let attempt = 1; ; attempt++) {
    const result = await http.send(request, deadlineMs);
    const createdResource = result.kind === 'done' ? parse(result.body) : null;
    if (createdResource) return createdResource;
    if (result.kind === 'refused' && !mayExist(result.refusal.status)) throw result.refusal;
    // After a response that cannot be parsed, or a refusal that may mean "exists already", the outcome is unknown.
    const failure =
      result.kind === 'unavailable' ? result.failure : new PspUnavailable('garbled', { effect: 'unknown' });
    if (failure.effect === 'unknown') {
      const existingResource = await getAfterWrite(deadlineMs);
      if (existingResource) return existingResource;
      if (result.kind === 'refused') throw result.refusal;
    }
    if (!(await http.waitToRetry(attempt + 1, failure, deadlineMs))) throw failure;
  }
}

/** Ends a resource. Returns its actual state, which may differ from the requested one, or null if the PSP does not have it. */
export async function endOnce<T>(
  http: PspHttp,
  { address, parse, getAfterWrite }: Resource<T>,
  patch: { status: string },
  isOpen: (resource: T) => boolean,
): Promise<T | null> {
  const deadlineMs = http.computeDeadlineMs();
  for (let attempt = 1; ; attempt++) {
    const result = await http.send({ method: 'PATCH', ...address, body: patch }, deadlineMs);
    if (result.kind === 'refused' && isNotFound(result.refusal)) return null;
    // A refusal may mean "ended already", and after a response the resource may still be open, so the outcome is unknown.
    const failure =
      result.kind === 'unavailable' ? result.failure : new PspUnavailable('garbled', { effect: 'unknown' });
    if (failure.effect === 'unknown') {
      const resource =
        (result.kind === 'done' ? parse(result.body) : null) ?? (await getAfterWrite(deadlineMs));
      if (!resource || !isOpen(resource)) return resource;
      if (result.kind === 'refused') throw result.refusal;
    }
    if (!(await http.waitToRetry(attempt + 1, failure, deadlineMs))) throw failure;
  }
}
