import { PspUnavailable } from './failures.ts';
import type { PspHttp, PspRequest } from './http-client.ts';
import { isNotFound, type Resource } from './resource.ts';

/** How the result of a write is read: from the answer, and by a separate request. */
type Written<T> = Pick<Resource<T>, 'read' | 'getAfterWrite'> & {
  /** Whether a refusal may mean "exists already": 400 by the standard; PSPs also use 409 and 422. */
  mayExist?: (status: number) => boolean;
};

/** An earlier attempt may have succeeded, so read before writing. */
export type InDoubt = { inDoubt?: boolean };

/**
 * Creates something, once. The caller has stored its id before, so that an interrupted call can be completed later by the same call with
 * `inDoubt`. A missing answer, or a refusal that may mean "exists", proves nothing: a read decides.
 */
export async function createOnce<T>(
  http: PspHttp,
  request: PspRequest,
  { read, getAfterWrite, mayExist = (status) => [400, 409, 422].includes(status) }: Written<T>,
  { inDoubt = false }: InDoubt = {},
): Promise<T> {
  const deadlineMs = http.deadline();
  for (let attempt = 1; ; attempt++) {
    const result = inDoubt && attempt === 1 ? null : await http.send(request, deadlineMs);
    const answered = result?.kind === 'done' ? read(result.body) : null;
    if (answered) return answered;
    const refusal = result?.kind === 'refused' ? result.refusal : null;
    if (refusal && !mayExist(refusal.status)) throw refusal;
    const failure =
      result?.kind === 'unavailable' ? result.failure : new PspUnavailable('garbled', 'unknown');
    if (failure.effect === 'unknown') {
      const found = await getAfterWrite(deadlineMs);
      if (found) return found;
      if (refusal) throw refusal;
    }
    if (result !== null && !(await http.waitToRetry(attempt + 1, failure, deadlineMs))) throw failure;
  }
}

/** Ends something. Returns its actual state, which may differ from the request; null: the PSP does not have it. */
export async function endOnce<T>(
  http: PspHttp,
  { at, read, getAfterWrite }: Resource<T>,
  end: { status: string },
  isOpen: (found: T) => boolean,
): Promise<T | null> {
  const deadlineMs = http.deadline();
  for (let attempt = 1; ; attempt++) {
    const result = await http.send({ method: 'PATCH', ...at, body: end }, deadlineMs);
    if (result.kind === 'refused' && isNotFound(result.refusal)) return null;
    const failure = result.kind === 'unavailable' ? result.failure : new PspUnavailable('garbled', 'unknown');
    if (failure.effect === 'unknown') {
      const found = (result.kind === 'done' ? read(result.body) : null) ?? (await getAfterWrite(deadlineMs));
      if (!found || !isOpen(found)) return found;
      if (result.kind === 'refused') throw result.refusal;
    }
    if (!(await http.waitToRetry(attempt + 1, failure, deadlineMs))) throw failure;
  }
}
