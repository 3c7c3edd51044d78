import { ConnectionError, isProblem, nodeTransport, type Transport } from '#client';

/** So long a page waits for the service. */
const PATIENCE_MS = 5_000;

/** The service took the request and did not answer in time. The client does not try again: that would keep the page waiting. */
export class NoAnswer extends Error {}

/** Ends what has not been answered whole in time; a stream of events only has to begin. */
export function patientTransport(patienceMs = PATIENCE_MS): Transport {
  const transport = nodeTransport({ timeoutMs: patienceMs * 2 });
  return async (request) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new NoAnswer('no answer in time')), patienceMs);
    const signal = request.signal ? AbortSignal.any([request.signal, late.signal]) : late.signal;
    try {
      const answer = await transport({ ...request, signal });
      if (answer.headers['content-type']?.startsWith('text/event-stream')) return answer;
      const chunks: Uint8Array[] = [];
      for await (const chunk of answer.body) chunks.push(chunk);
      return { ...answer, body: each(chunks) };
    } catch (error) {
      if (late.signal.aborted) throw late.signal.reason;
      if (error instanceof ConnectionError || request.signal?.aborted) throw error;
      throw new ConnectionError((error as Error).message, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  };
}

async function* each<T>(items: T[]): AsyncGenerator<T> {
  yield* items;
}

/** Whether the service could not be reached, or did not answer. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ConnectionError || error instanceof NoAnswer;

/** Whether trying again later may help. */
export const isAway = (error: unknown): boolean =>
  isUnreachable(error) || (isProblem(error) && error.status >= 500);
