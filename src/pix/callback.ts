import { hash, timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import { type Endpoint, endpoint } from '#platform/http/endpoint.ts';
import { newId } from '#platform/ids.ts';
import { enqueueAll } from '#platform/jobs.ts';
import { notFound } from '#platform/problem.ts';
import type { Pix } from './pix.ts';
import { listOurTxids } from './store/charges.ts';
import { insertNotice } from './store/notices.ts';
import { SYNC_ATTEMPTS, SYNC_CHARGE, SYNC_PAYMENT, syncKey } from './tasks.ts';

/** A PSP may put a whole day's payments into one notice. */
const BODY_LIMIT_BYTES = 2 * 1024 * 1024;

const NAME = /^[a-zA-Z0-9]{1,64}$/;

/**
 * Where the PSP tells of money that arrived or went back: at the address we gave it, and at that address with /pix appended,
 * as the standard has it. Whoever knows the address may call it; what is said there is written down and looked into, never
 * believed.
 */
export function callbackEndpoints(pix: Pix): Endpoint[] {
  const paths = [
    { url: '/psp/callback/:secret', id: 'pspCallback' },
    { url: '/psp/callback/:secret/pix', id: 'pspCallbackPix' },
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
      bodyLimitBytes: BODY_LIMIT_BYTES,
      async handler(request, reply) {
        const { secret } = request.params as { secret: string };
        if (!isSame(secret, pix.callbackSecret)) throw notFound('There is nothing at this address.');
        await takeNotice(pix, request.body);
        return reply.header('cache-control', 'no-store').send({});
      },
    }),
  );
}

async function takeNotice(pix: Pix, body: unknown): Promise<void> {
  const { db, clock, vault } = pix;
  const named = readNotice(body);
  const receivedAt = clock.now();
  const id = newId('ntc', receivedAt);
  await db.transaction(async (tx) => {
    const sealed = vault.seal(JSON.stringify(body) ?? '', id);
    await insertNotice(tx, { id, receivedAt, sealed });
    const ours = new Set(await listOurTxids(tx, [...new Set(named.flatMap(({ txid }) => txid ?? []))]));
    const noticed_at = String(Date.now());
    const charges = [...ours].map((txid) => ({
      task: SYNC_CHARGE,
      payload: { txid, noticed_at },
      key: syncKey(txid),
    }));
    const strangers = named
      .filter(({ txid }) => txid === null || !ours.has(txid))
      .flatMap(({ endToEndId }) => endToEndId ?? [])
      .map((endToEndId) => ({
        task: SYNC_PAYMENT,
        payload: { end_to_end_id: endToEndId },
        key: `${SYNC_PAYMENT} ${endToEndId}`,
      }));
    await enqueueAll(tx, [...charges, ...strangers], SYNC_ATTEMPTS);
  });
  pix.crash('after-notice-stored');
}

/** Only names are taken from it. Anything may be missing, and anything else may be there. */
function readNotice(body: unknown): Array<{ txid: string | null; endToEndId: string | null }> {
  const list = (body as { pix?: unknown } | null | undefined)?.pix;
  const entries: unknown[] = Array.isArray(list) ? list : [];
  const name = (value: unknown) => (typeof value === 'string' && NAME.test(value) ? value : null);
  return entries
    .filter((entry) => typeof entry === 'object' && entry !== null)
    .map((entry) => {
      const { txid, endToEndId } = entry as { txid?: unknown; endToEndId?: unknown };
      return { txid: name(txid), endToEndId: name(endToEndId) };
    });
}

/** In the same time however much of it is right. */
function isSame(given: string, secret: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(given), digest(secret));
}
