import { createHash, createHmac } from 'node:crypto';
import type { PartnerEvent } from './client.ts';
import { createClient } from './index.ts';

const REPLAY_MS = 3_600_000;
const MAX_PRINTED_CHARACTERS = 200;

/** Derives a secret from the key, so that each run prints the same secret. */
const deriveSecret = (key: string): string =>
  `whsec_${createHash('sha256').update(`semana listen ${key}`).digest('base64')}`;

/**
 * Forwards events to `targetUrl` until the signal is aborted. Signs them like webhooks, and prints them with the response of the receiver.
 * With `replay`, forwards the events of the last hour first.
 */
export async function listen(options: {
  url: string;
  key: string;
  targetUrl: string;
  replay: boolean;
  signal: AbortSignal;
  print: (line: string) => void;
}): Promise<void> {
  const { url, key, targetUrl, replay, signal, print } = options;
  const api = createClient({ url, key });
  // This call throws if the key is wrong or the API cannot be reached. The stream alone would reconnect for ever.
  await api.listEvents({ query: { limit: 1 }, signal });
  const secret = deriveSecret(key);
  print(`Secret: ${secret}`);
  const forward = async (event: PartnerEvent) =>
    print(`${event.type}  ${event.id}  ${await send(targetUrl, secret, event)}`);
  if (replay) {
    const replayStartMs = Date.now() - REPLAY_MS;
    for await (const event of api.each('listEvents', { query: { limit: 100 } })) {
      if (signal.aborted) return;
      if (Date.parse(event.occurred_at) >= replayStartMs) await forward(event);
    }
  }
  const onOpen = () => print(`Forwarding events to ${targetUrl}. Press Ctrl-C to end.`);
  for await (const event of api.streamPartnerEvents({ signal, onOpen })) {
    // The service sends `reset` if events may have been missed. It is no event of the feed.
    if (event.type !== 'reset') await forward(event);
  }
}

/** Sends an event. Returns the response of the receiver as text. */
async function send(targetUrl: string, secret: string, event: PartnerEvent): Promise<string> {
  const body = JSON.stringify(event);
  const timestamp = Math.floor(Date.now() / 1000);
  const signingKey = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', signingKey)
    .update(`${event.id}.${timestamp}.${body}`)
    .digest('base64');
  try {
    const response = await fetch(targetUrl, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Semana-Webhooks',
        'webhook-id': event.id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${signature}`,
      },
      body,
    });
    const text = (await response.text()).replace(/\s+/g, ' ').slice(0, MAX_PRINTED_CHARACTERS);
    return `${response.status} ${text}`.trim();
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error };
    return `no response: ${cause?.message ?? message}`;
  }
}
