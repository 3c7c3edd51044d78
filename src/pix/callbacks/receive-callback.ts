import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Type } from 'typebox';
import { Batcher } from '#platform/database/batcher.ts';
import { type Endpoint, endpoint } from '#platform/http/endpoint.ts';
import { readRawBody } from '#platform/http/raw-body.ts';
import { newId } from '#platform/ids.ts';
import { enqueueAll } from '#platform/jobs/jobs.ts';
import type { Pix } from '../pix.ts';
import { parseCallbackEntries, parseReportedPayment, parseReportedRecId } from '../psp/index.ts';
import { queueCallbacks } from '../store/callbacks.ts';
import {
  AUTOPAY_JOB,
  createAuthorisationJobs,
  createSyncJobs,
  type ReportedPayment,
  SWEEP_JOBS,
  SYNC_ATTEMPTS,
} from '../tasks.ts';

/** Concurrent callbacks are inserted together, and handled by the same job. */
const BATCH_OPTIONS = { concurrency: 1, maxItems: 100 };
/** Length in characters. A longer callback is inserted alone. */
const MAX_BATCHED_LENGTH = 64 * 1024;

const CALLBACK_PATHS = ['', '/', '/pix', '/pix/', '/rec', '/rec/', '/cobr', '/cobr/'] as const;

type ReceivedCallback = ParsedCallback & { text: string; receivedAtMs: number };

/**
 * Builds the endpoints for the callbacks of the PSP. PSPs call the registered URL, for payments and refunds also with /pix appended,
 * as the standard requires, for authorisations with /rec, and for debits with /cobr. The content of a callback is stored and
 * verified at the PSP, never trusted. The secret is checked before the body is read, so that callers without the secret cost
 * nothing.
 */
export function buildCallbackEndpoints(pix: Pix): Endpoint[] {
  const batcher = new Batcher<ReceivedCallback, void>(BATCH_OPTIONS, async (batch) => {
    const callbacks = batch.map(({ item }) => item);
    await storeCallbacks(pix, callbacks);
    for (const { resolve } of batch) resolve();
  });
  return CALLBACK_PATHS.map((path, i) =>
    endpoint(`POST /psp/callback/:secret${path}`, {
      access: 'open',
      id: `pspCallback${i}`,
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
  const sweepJobs = callbacks.some(({ needsSweep }) => needsSweep) ? [...SWEEP_JOBS, AUTOPAY_JOB] : [];
  // The time of the first callback is used for all, so that the measured time from callback to settlement is never too low.
  const jobs = [
    ...createSyncJobs(payments, callbacks[0]!.receivedAtMs),
    ...createAuthorisationJobs(recIds),
    ...sweepJobs,
  ];
  await db.transaction(async (tx) => {
    queueCallbacks(tx, rows);
    await enqueueAll(tx, jobs, SYNC_ATTEMPTS);
  });
  pix.failpoint('after-notice-stored');
}

function isEqual(providedSecret: string, secret: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(providedSecret), digest(secret));
}

/**
 * The ids that a callback contains. `needsSweep`: the callback contains too many ids to look up one by one, or cannot be parsed, so
 * a sweep must find what it reports.
 */
type ParsedCallback = {
  payments: ReportedPayment[];
  recIds: string[];
  needsSweep: boolean;
};

/** Length in characters. Longer bodies are not parsed. Parsing one of this length takes a few milliseconds. */
const MAX_PARSED_LENGTH = 512 * 1024;
const MAX_LOOKUPS = 500;

function parseCallback({ text, isReadable }: CallbackBody): ParsedCallback {
  if (text.trim() === '') return { payments: [], recIds: [], needsSweep: false };
  const sweepOnly = { payments: [], recIds: [], needsSweep: true };
  const entries = isReadable && text.length <= MAX_PARSED_LENGTH ? parseCallbackEntries(text) : undefined;
  if (!entries) return sweepOnly;
  const payments = entries.map(parseReportedPayment).filter(hasId);
  const recIds = [...new Set(entries.flatMap((entry) => parseReportedRecId(entry) ?? []))];
  const lookupCount = payments.length + recIds.length;
  return lookupCount > MAX_LOOKUPS ? sweepOnly : { payments, recIds, needsSweep: false };
}

const hasId = ({ txid, endToEndId }: ReportedPayment): boolean => txid !== null || endToEndId !== null;

/** `isReadable` is false if the body could not be inflated. `text` is the raw body then, one character per byte. */
type CallbackBody = { text: string; isReadable: boolean };

/** A PSP may report a whole day's payments in one callback. */
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_INFLATED_BYTES = 8 * 1024 * 1024;

const inflate = promisify(gunzip);

/** Reads the body regardless of the declared content type, and inflates it if it is gzip, declared or not. */
async function readCallbackBody(request: IncomingMessage): Promise<CallbackBody> {
  const bytes = await readRawBody(request, MAX_BYTES);
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b; // the first two bytes of every gzip file
  if (!isGzip) return { text: bytes.toString('utf8'), isReadable: true };
  try {
    const inflatedBytes = await inflate(bytes, { maxOutputLength: MAX_INFLATED_BYTES });
    return { text: inflatedBytes.toString('utf8'), isReadable: true };
  } catch {
    return { text: bytes.toString('latin1'), isReadable: false };
  }
}
