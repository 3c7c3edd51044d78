import { subscribe } from 'node:diagnostics_channel';

/** Says what a part of the test waits for: one line each. */
type Explainer = () => Promise<string[]> | string[];

const explainers = new Set<Explainer>();

/** Registers what is printed when a test hangs or fails. Returns a function that removes it. */
export function addExplainer(explainer: Explainer): () => void {
  explainers.add(explainer);
  return () => explainers.delete(explainer);
}

/** Lists what the test is waiting for now, as far as it is registered. */
export async function listPending(): Promise<string[]> {
  const found = await Promise.all(
    [...explainers].map(async (explain) => {
      try {
        return await explain();
      } catch (error) {
        return [`Not known, because of: ${(error as Error).message}`];
      }
    }),
  );
  return found.flat();
}

const PROGRESS_INTERVAL_MS = 5_000;

let progressMs = 0;
let notify: () => void = () => undefined;

/** Calls the listener when a test makes progress, at most every few seconds. */
export function onProgress(listener: () => void): void {
  notify = listener;
}

/** A long test that calls this is slow, but does not hang. */
export function noteProgress(): void {
  const nowMs = performance.now();
  if (nowMs - progressMs < PROGRESS_INTERVAL_MS) return;
  progressMs = nowMs;
  notify();
}

/** Registers the requests that `fetch` sent in this process and that have no response yet. */
export function explainFetches(): void {
  const pending = new Map<object, { label: string; startedMs: number }>();
  subscribe('undici:request:create', (message) => {
    const { request } = message as { request: { method: string; origin: string; path: string } };
    const label = `${request.method} ${request.origin}${request.path}`;
    pending.set(request, { label, startedMs: performance.now() });
  });
  const remove = (message: unknown) => pending.delete((message as { request: object }).request);
  subscribe('undici:request:trailers', remove);
  subscribe('undici:request:error', remove);
  addExplainer(() =>
    [...pending.values()].map(
      ({ label, startedMs }) =>
        `Request without a complete response for ${((performance.now() - startedMs) / 1_000).toFixed(0)} s: ${label}`,
    ),
  );
}
