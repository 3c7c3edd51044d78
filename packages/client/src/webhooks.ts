import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PartnerEvent } from './client.ts';

/** The signature is invalid, or the request is a replay of an old one. Answer it with 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/**
 * Verifies a delivery (Standard Webhooks) and returns its parsed body. `body`: the raw bytes, before parsing. `secrets`: both
 * the old and the new one during a rotation.
 */
export function verifyWebhook<T = PartnerEvent>(given: {
  secrets: string | readonly string[];
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string | Uint8Array;
  toleranceSeconds?: number;
  now?: Date;
}): T {
  const { secrets, headers, body, toleranceSeconds = 300, now = new Date() } = given;
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    String(headers[name] ?? ''),
  );
  if (!id || !/^\d{1,12}$/.test(timestamp!) || !signatures)
    throw new WebhookError('A webhook header is missing.');
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError('The delivery is too old, or the clock is wrong.');
  const expected = [secrets].flat().map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  });
  const isOurs = signatures.split(' ').some((signature) => {
    const sent = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return expected.some((own) => own.length === sent.length && timingSafeEqual(own, sent));
  });
  if (!isOurs) throw new WebhookError('The signature is wrong.');
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as T;
}
