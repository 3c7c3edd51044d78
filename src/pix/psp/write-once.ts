import { PspUnavailable } from './failures.ts';
import { getAfterWrite, isNotFound } from './get-resource.ts';
import type { PspHttp, PspRequest } from './http-client.ts';

/** How the result of a write is read: from the answer, and by a separate request. */
type Reader<T> = {
  /** null when the answer lacks what the standard requires. */
  read: (body: unknown) => T | null;
  /** The same from the PSP, within the deadline; null: it does not have it. */
  find: (deadlineMs: number) => Promise<T | null>;
};

/** Refusals that may mean "exists already": the standard has 400, PSPs also use 409 and 422. */
const MAY_EXIST = new Set([400, 409, 422]);

/** A read of one resource, for {@link Reader}. */
export const readBack = <T>(http: PspHttp, request: PspRequest, read: Reader<T>['read']): Reader<T> => ({
  read,
  find: (deadlineMs) => getAfterWrite(http, { request, read, deadlineMs }),
});

/**
 * Creates something, once. The caller has stored its id before, so that an interrupted call can be completed later by the same call with
 * `inDoubt`, which reads before it writes. A missing answer, or a refusal that may mean "exists", proves nothing: a read decides.
 */
export async function createOnce<T>(
  http: PspHttp,
  request: PspRequest,
  { read, find }: Reader<T>,
  { inDoubt = false }: { inDoubt?: boolean } = {},
): Promise<T> {
  const deadlineMs = http.deadline();
  for (let attempt = 1; ; attempt++) {
    const result = inDoubt && attempt === 1 ? null : await http.send(request, deadlineMs);
    const answered = result?.kind === 'done' ? read(result.body) : null;
    if (answered) return answered;
    const refusal = result?.kind === 'refused' ? result.refusal : null;
    if (refusal && !MAY_EXIST.has(refusal.status)) throw refusal;
    const failure =
      result?.kind === 'unavailable' ? result.failure : new PspUnavailable('garbled', 'unknown');
    if (failure.effect === 'unknown') {
      const found = await find(deadlineMs);
      if (found) return found;
      if (refusal) throw refusal;
    }
    if (result !== null && !(await http.waitToRetry(attempt + 1, failure, deadlineMs))) throw failure;
  }
}

/** Ends something. Returns its actual state, which may differ from the request; null: the PSP does not have it. */
export async function endOnce<T>(
  http: PspHttp,
  request: PspRequest,
  { read, find }: Reader<T>,
  isOpen: (found: T) => boolean,
): Promise<T | null> {
  const deadlineMs = http.deadline();
  for (let attempt = 1; ; attempt++) {
    const result = await http.send(request, deadlineMs);
    if (result.kind === 'refused' && isNotFound(result.refusal)) return null;
    const failure = result.kind === 'unavailable' ? result.failure : new PspUnavailable('garbled', 'unknown');
    if (failure.effect === 'unknown') {
      const found = (result.kind === 'done' ? read(result.body) : null) ?? (await find(deadlineMs));
      if (!found || !isOpen(found)) return found;
      if (result.kind === 'refused') throw result.refusal;
    }
    if (!(await http.waitToRetry(attempt + 1, failure, deadlineMs))) throw failure;
  }
}
