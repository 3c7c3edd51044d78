import { hash, timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import { Batcher } from '#platform/database/batcher.ts';
import { type Endpoint, endpoint } from '#platform/http/endpoint.ts';
import { newId } from '#platform/ids.ts';
import { enqueueAll } from '#platform/jobs/jobs.ts';
import type { Pix } from '../pix.ts';
import { insertCallbacks } from '../store/callbacks.ts';
import { AUTOPAY_JOB, createAuthorisationJobs, createSyncJobs, SWEEP_JOBS, SYNC_ATTEMPTS } from '../tasks.ts';
import { readCallbackBody } from './callback-body.ts';
import { type ParsedCallback, parseCallback } from './parse-callback.ts';

/** Concurrent callbacks are inserted together, and handled by the same job. */
const BATCH_OPTIONS = { concurrency: 1, maxItems: 100 };
/** In characters. A longer callback is inserted alone. */
const MAX_BATCHED_LENGTH = 64 * 1024;

type ReceivedCallback = ParsedCallback & { text: string; receivedAtMs: number };

/**
 * Endpoints for the callbacks of the PSP. PSPs call the URL that we registered, for payments and refunds also with /pix appended,
 * as the standard requires, for authorisations with /rec, and for debits with /cobr. The content of a callback is stored and
 * verified at the PSP, never trusted. The secret is checked before the body is read, so that callers without the secret cost
 * nothing.
 */
export function buildCallbackEndpoints(pix: Pix): Endpoint[] {
  const paths = [
    { url: '/psp/callback/:secret', id: 'pspCallback' },
    { url: '/psp/callback/:secret/', id: 'pspCallbackSlash' },
    { url: '/psp/callback/:secret/pix', id: 'pspCallbackPix' },
    { url: '/psp/callback/:secret/pix/', id: 'pspCallbackPixSlash' },
    { url: '/psp/callback/:secret/rec', id: 'pspCallbackRec' },
    { url: '/psp/callback/:secret/rec/', id: 'pspCallbackRecSlash' },
    { url: '/psp/callback/:secret/cobr', id: 'pspCallbackCobr' },
    { url: '/psp/callback/:secret/cobr/', id: 'pspCallbackCobrSlash' },
  ] as const;
  const batcher = new Batcher<ReceivedCallback, void>(BATCH_OPTIONS, async (batch) => {
    const callbacks = batch.map(({ item }) => item);
    await storeCallbacks(pix, callbacks);
    for (const { resolve } of batch) resolve();
  });
  return paths.map(({ url, id }) =>
    endpoint(`POST ${url}`, {
      access: 'open',
      id,
      undocumented: true,
      summary: 'Receive a callback of the PSP',
      responses: { 200: { description: 'The callback is stored.', schema: Type.Object({}) } },
      rawBody: true,
      async handler(request, reply) {
        const { secret } = request.params as { secret: string };
        if (!isEqual(secret, pix.callbackSecret)) throw request.notFound();
        const body = await readCallbackBody(request.raw);
        const callback = { ...parseCallback(body), text: body.text, receivedAtMs: Date.now() };
        if (callback.text.length > MAX_BATCHED_LENGTH) await storeCallbacks(pix, [callback]);
        else await batcher.add(callback);
        return reply.header('cache-control', 'no-store').send({});
      },
    }),
  );
}

async function storeCallbacks(pix: Pix, callbacks: readonly ReceivedCallback[]): Promise<void> {
  const { db, clock } = pix;
  const receivedAt = clock.now();
  const rows = callbacks.map(({ text }) => ({ id: newId('ntc', receivedAt), receivedAt, text }));
  const payments = callbacks.flatMap((callback) => callback.payments);
  const recIds = callbacks.flatMap((callback) => callback.recIds);
  const sweeps = callbacks.some(({ needsSweep }) => needsSweep) ? [...SWEEP_JOBS, AUTOPAY_JOB] : [];
  // The time of the first callback is used for all, so that the measured time is never too low.
  const jobs = [
    ...createSyncJobs(payments, callbacks[0]!.receivedAtMs),
    ...createAuthorisationJobs(recIds),
    ...sweeps,
  ];
  await db.transaction(async (tx) => {
    insertCallbacks(tx, rows);
    await enqueueAll(tx, jobs, SYNC_ATTEMPTS);
  });
  pix.failpoint('after-notice-stored');
}

/** Compares in constant time. */
function isEqual(given: string, secret: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(given), digest(secret));
}
