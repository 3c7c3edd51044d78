import { ConnectionError, isProblem, nodeTransport, type Transport } from '#client';

/** How long a page waits for the service. */
const TIMEOUT_MS = 5_000;

/** The service did not respond in time. The client does not retry this error, because the page would wait even longer. */
export class ResponseTimeout extends Error {}

/** Aborts requests whose response is not complete in time. Of an event stream only the headers must arrive in time. */
export function createTransportWithTimeout(timeoutMs = TIMEOUT_MS): Transport {
  // The client's own timeout is longer, so that it never fires before this one.
  const transport = nodeTransport({ timeoutMs: timeoutMs * 2 });
  return async (request) => {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(new ResponseTimeout('no response in time')), timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout.signal]) : timeout.signal;
    try {
      const response = await transport({ ...request, signal });
      if (response.headers['content-type']?.startsWith('text/event-stream')) return response;
      const chunks: Uint8Array[] = [];
      for await (const chunk of response.body) chunks.push(chunk);
      return { ...response, body: toAsyncIterable(chunks) };
    } catch (error) {
      if (timeout.signal.aborted) throw timeout.signal.reason;
      if (error instanceof ConnectionError || request.signal?.aborted) throw error;
      throw new ConnectionError((error as Error).message, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  };
}

async function* toAsyncIterable<T>(items: T[]): AsyncGenerator<T> {
  yield* items;
}

/** Whether the service could not be reached, or did not respond. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ConnectionError || error instanceof ResponseTimeout;

/** Whether trying again later may help. */
export const isTemporaryFailure = (error: unknown): boolean =>
  isUnreachable(error) || (isProblem(error) && error.status >= 500);
