import { hash, timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import { Batches } from '#platform/database/batches.ts';
import { type Endpoint, endpoint } from '#platform/http/endpoint.ts';
import { newId } from '#platform/ids.ts';
import { enqueueAll } from '#platform/jobs/jobs.ts';
import type { Pix } from '../pix.ts';
import { insertNotices } from '../store/notices.ts';
import { AUTOPAY_JOB, authorisationJobs, SWEEP_JOBS, SYNC_ATTEMPTS, syncJobs } from '../tasks.ts';
import { readBody } from './callback-body.ts';
import { type Notice, readNotice } from './callback-notice.ts';

/** Concurrent notices are written together, and handled by the same job. */
const BATCHES = { atOnce: 1, most: 100 };
/** In characters. A longer one is written alone. */
const LONG = 64 * 1024;

type ReceivedNotice = Notice & { text: string; noticedAtMs: number };

/**
 * The webhook of the PSP, for payments and refunds: at the address we registered, and with /pix appended, as the standard has it;
 * with /rec for authorisations, with /cobr for debits.
 * Anybody who knows the address may call it, so its content is stored and checked at the PSP, never trusted. The secret is
 * checked before the body is read: a stranger costs nothing.
 */
export function callbackEndpoints(pix: Pix): Endpoint[] {
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
  const notices = new Batches<ReceivedNotice, void>(BATCHES, async (batch) => {
    const heard = batch.map(({ item }) => item);
    await takeNotices(pix, heard);
    for (const { resolve } of batch) resolve();
  });
  return paths.map(({ url, id }) =>
    endpoint(`POST ${url}`, {
      access: 'open',
      id,
      undocumented: true,
      summary: 'For the PSP: something happened',
      answers: { 200: { description: 'It is written down.', schema: Type.Object({}) } },
      rawBody: true,
      async handler(request, reply) {
        const { secret } = request.params as { secret: string };
        if (!isSame(secret, pix.callbackSecret)) throw request.notFound();
        const body = await readBody(request.raw);
        const heard = { ...readNotice(body), text: body.text, noticedAtMs: Date.now() };
        await (heard.text.length > LONG ? takeNotices(pix, [heard]) : notices.add(heard));
        return reply.header('cache-control', 'no-store').send({});
      },
    }),
  );
}

async function takeNotices(pix: Pix, notices: readonly ReceivedNotice[]): Promise<void> {
  const { db, clock, vault } = pix;
  const receivedAt = clock.now();
  const rows = notices.map(({ text }) => {
    const id = newId('ntc', receivedAt);
    return { id, receivedAt, sealed: vault.seal(text, id) };
  });
  const named = notices.flatMap(({ entries }) => entries);
  const recIds = notices.flatMap((notice) => notice.recIds);
  const sweeps = notices.some(({ needsSweep }) => needsSweep) ? [...SWEEP_JOBS, AUTOPAY_JOB] : [];
  // Of many the first one: the measured time is rather too high than too low.
  const jobs = [...syncJobs(named, notices[0]!.noticedAtMs), ...authorisationJobs(recIds), ...sweeps];
  await db.transaction(async (tx) => {
    insertNotices(tx, rows);
    await enqueueAll(tx, jobs, SYNC_ATTEMPTS);
  });
  pix.crash('after-notice-stored');
}

/** A constant-time comparison. */
function isSame(given: string, secret: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(given), digest(secret));
}
