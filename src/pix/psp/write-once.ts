import { PspUnavailable } from './failures.ts';
import type { PspHttp, PspRequest } from './http-client.ts';
import { isNotFound, type Resource } from './resource.ts';

/** How to obtain the result of a write: from its response, or by a separate read. */
type WriteOutcome<T> = Pick<Resource<T>, 'parse' | 'getAfterWrite'> & {
  /** Whether a refusal with this status may mean "exists already": 400 by the standard; PSPs also use 409 and 422. */
  mayExist?: (status: number) => boolean;
};

/** `inDoubt`: an earlier call may have succeeded, so read before writing. */
export type WriteOptions = { inDoubt?: boolean };

/**
 * Creates a resource, once. The caller must have stored its id, so that the same call with `inDoubt` can complete an interrupted
 * one. After a missing response, or a refusal that may mean "exists already", a read decides.
 */
export async function createOnce<T>(
  http: PspHttp,
  request: PspRequest,
  { parse, getAfterWrite, mayExist = (status) => [400, 409, 422].includes(status) }: WriteOutcome<T>,
  { inDoubt = false }: WriteOptions = {},
): Promise<T> {
  const deadlineMs = http.deadline();
  for (let attempt = 1; ; attempt++) {
    const result = inDoubt && attempt === 1 ? null : await http.send(request, deadlineMs);
    const created = result?.kind === 'done' ? parse(result.body) : null;
    if (created) return created;
    const refusal = result?.kind === 'refused' ? result.refusal : null;
    if (refusal && !mayExist(refusal.status)) throw refusal;
    const failure =
      result?.kind === 'unavailable' ? result.failure : new PspUnavailable('garbled', 'unknown');
    if (failure.effect === 'unknown') {
      const existing = await getAfterWrite(deadlineMs);
      if (existing) return existing;
      if (refusal) throw refusal;
    }
    if (result !== null && !(await http.waitToRetry(attempt + 1, failure, deadlineMs))) throw failure;
  }
}

/** Ends a resource. Returns its actual state, which may differ from the requested one. Null: the PSP does not have it. */
export async function endOnce<T>(
  http: PspHttp,
  { address, parse, getAfterWrite }: Resource<T>,
  end: { status: string },
  isOpen: (resource: T) => boolean,
): Promise<T | null> {
  const deadlineMs = http.deadline();
  for (let attempt = 1; ; attempt++) {
    const result = await http.send({ method: 'PATCH', ...address, body: end }, deadlineMs);
    if (result.kind === 'refused' && isNotFound(result.refusal)) return null;
    const failure = result.kind === 'unavailable' ? result.failure : new PspUnavailable('garbled', 'unknown');
    if (failure.effect === 'unknown') {
      const resource =
        (result.kind === 'done' ? parse(result.body) : null) ?? (await getAfterWrite(deadlineMs));
      if (!resource || !isOpen(resource)) return resource;
      if (result.kind === 'refused') throw result.refusal;
    }
    if (!(await http.waitToRetry(attempt + 1, failure, deadlineMs))) throw failure;
  }
}
