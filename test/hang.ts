import { subscribe } from 'node:diagnostics_channel';

/** Lists what a part of the test is waiting for, one line for each. */
type Explainer = () => Promise<string[]> | string[];

const explainers = new Set<Explainer>();

/** Registers an explainer, whose lines are printed when a test hangs or fails. Returns a function that removes it. */
export function addExplainer(explainer: Explainer): () => void {
  explainers.add(explainer);
  return () => explainers.delete(explainer);
}

/** Returns the lines of all registered explainers. */
export async function listPendingWork(): Promise<string[]> {
  const linesByExplainer = await Promise.all(
    [...explainers].map(async (explain) => {
      try {
        return await explain();
      } catch (error) {
        return [`Unknown, because of: ${(error as Error).message}`];
      }
    }),
  );
  return linesByExplainer.flat();
}

const PROGRESS_INTERVAL_MS = 5_000;

let lastProgressMs = 0;
let progressListener: () => void = () => undefined;

/** Calls the listener when a test makes progress, at most every few seconds. */
export function onProgress(listener: () => void): void {
  progressListener = listener;
}

/** Reports that the test makes progress: a long test that calls this does not count as hanging. */
export function noteProgress(): void {
  const nowMs = performance.now();
  if (nowMs - lastProgressMs < PROGRESS_INTERVAL_MS) return;
  lastProgressMs = nowMs;
  progressListener();
}

/** Registers an explainer that lists the requests of `fetch` in this process that have no complete response yet. */
export function explainFetches(): void {
  const pending = new Map<object, { label: string; startedAtMs: number }>();
  subscribe('undici:request:create', (message) => {
    const { request } = message as { request: { method: string; origin: string; path: string } };
    const label = `${request.method} ${request.origin}${request.path}`;
    pending.set(request, { label, startedAtMs: performance.now() });
  });
  const remove = (message: unknown) => pending.delete((message as { request: object }).request);
  subscribe('undici:request:trailers', remove);
  subscribe('undici:request:error', remove);
  addExplainer(() =>
    [...pending.values()].map(
      ({ label, startedAtMs }) =>
        `Request without a complete response for ${((performance.now() - startedAtMs) / 1_000).toFixed(0)} s: ${label}`,
    ),
  );
}
