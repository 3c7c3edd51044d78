import { ConnectionError, isProblem, nodeTransport, type Transport } from '#client';

/** How long a page waits for the service. */
const TIMEOUT_MS = 5_000;

/** The service did not answer in time. The client does not retry: that would keep the page waiting. */
export class NoAnswer extends Error {}

/** Aborts requests whose answer is not complete in time; of a stream of events only the headers must arrive. */
export function timedTransport(timeoutMs = TIMEOUT_MS): Transport {
  const transport = nodeTransport({ timeoutMs: timeoutMs * 2 });
  return async (request) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new NoAnswer('no answer in time')), timeoutMs);
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
