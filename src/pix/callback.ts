import { hash, timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import { type Endpoint, endpoint } from '#platform/http/endpoint.ts';
import { newId } from '#platform/ids.ts';
import { enqueueAll } from '#platform/jobs.ts';
import { notFound } from '#platform/problem.ts';
import { readBody } from './callback-body.ts';
import { type NamedPix, type Notice, readNotice } from './callback-notice.ts';
import type { Pix } from './pix.ts';
import { listOurTxids, txidKey } from './store/charges.ts';
import { insertNotice } from './store/notices.ts';
import { SWEEP_JOBS, SYNC_ATTEMPTS, syncJobs, syncPaymentJob } from './tasks.ts';

/**
 * Where the PSP tells of money that arrived or went back: at the address we gave it, and at that address with /pix appended,
 * as the standard has it. Whoever knows the address may call it; what is said there is written down and looked into, never
 * believed. The secret is checked before anything of the body is read: a stranger costs nothing.
 */
export function callbackEndpoints(pix: Pix): Endpoint[] {
  const paths = [
    { url: '/psp/callback/:secret', id: 'pspCallback' },
    { url: '/psp/callback/:secret/', id: 'pspCallbackSlash' },
    { url: '/psp/callback/:secret/pix', id: 'pspCallbackPix' },
    { url: '/psp/callback/:secret/pix/', id: 'pspCallbackPixSlash' },
  ] as const;
  return paths.map(({ url, id }) =>
    endpoint({
      method: 'POST',
      url,
      access: 'open',
      id,
      tag: '',
      summary: 'For the PSP: something happened',
      answers: { 200: { description: 'It is written down.', schema: Type.Object({}) } },
      rawBody: true,
      async handler(request, reply) {
        const { secret } = request.params as { secret: string };
        if (!isSame(secret, pix.callbackSecret)) throw notFound('There is nothing at this address.');
        const body = await readBody(request.raw);
        await takeNotice(pix, body.text, readNotice(body));
        return reply.header('cache-control', 'no-store').send({});
      },
    }),
  );
}

async function takeNotice(pix: Pix, text: string, { entries, needsSweep }: Notice): Promise<void> {
  const { db, clock, vault } = pix;
  const receivedAt = clock.now();
  const id = newId('ntc', receivedAt);
  const noticedAt = String(Date.now());
  await db.transaction(async (tx) => {
    insertNotice(tx, { id, receivedAt, sealed: vault.seal(text, id) });
    const txids = new Set(entries.flatMap(({ txid }) => txid ?? []));
    const ours = txids.size > 0 ? await listOurTxids(tx, [...txids]) : new Set<string>();
    const isOurs = ({ txid }: NamedPix) => txid !== null && ours.has(txidKey(txid));
    const named = entries.filter(isOurs).map((entry) => ({ ...entry, txid: txidKey(entry.txid!) }));
    const unknown = entries.filter((entry) => !isOurs(entry)).flatMap(({ endToEndId }) => endToEndId ?? []);
    const jobs = [...syncJobs(named, noticedAt), ...unknown.map(syncPaymentJob)];
    await enqueueAll(tx, [...jobs, ...(needsSweep ? SWEEP_JOBS : [])], SYNC_ATTEMPTS);
  });
  pix.crash('after-notice-stored');
}

/** In the same time however much of it is right. */
function isSame(given: string, secret: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(given), digest(secret));
}
