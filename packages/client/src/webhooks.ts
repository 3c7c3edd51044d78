import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PartnerEvent } from './client.ts';

/** A delivery has no valid signature, or is too old. Respond to it with 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/**
 * Verifies a delivery (Standard Webhooks) and returns its parsed body. `body` is the raw body, before parsing. During a
 * rotation, pass both the old and the new secret in `secrets`.
 */
export function verifyWebhook<T = PartnerEvent>(options: {
  secrets: string | readonly string[];
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>;
  body: string | Uint8Array | ArrayBuffer;
  /** The maximum difference between the timestamp of the delivery and `now`. */
  toleranceSeconds?: number;
  now?: Date;
}): T {
  const { secrets, headers, toleranceSeconds = 300, now = new Date() } = options;
  const body = typeof options.body === 'string' ? options.body : new Uint8Array(options.body);
  const id = findHeader(headers, 'webhook-id');
  const timestamp = findHeader(headers, 'webhook-timestamp');
  const signatures = findHeader(headers, 'webhook-signature');
  if (!id || !/^\d{1,12}$/.test(timestamp) || !signatures)
    throw new WebhookError('A webhook header is missing or malformed.');
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError('The delivery is too old, or the clock is wrong.');
  const expectedSignatures = [secrets].flat().map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  });
  const isSignatureValid = signatures.split(' ').some((signature) => {
    const receivedSignature = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return expectedSignatures.some(
      (expectedSignature) =>
        expectedSignature.length === receivedSignature.length &&
        timingSafeEqual(expectedSignature, receivedSignature),
    );
  });
  if (!isSignatureValid) throw new WebhookError('The signature is wrong.');
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as T;
}

/** Returns a header by its lower-case name, whatever the case in which it was received, or '' if it is missing. */
function findHeader(
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>,
  name: string,
): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const [, value = ''] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return String(value);
}
