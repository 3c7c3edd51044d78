import { Agent } from 'node:https';
import webPush from 'web-push';
import { createPublicLookup, type ResolveHost } from '#platform/http/ip-addresses.ts';
import { type Send, SendFailure } from './channel.ts';

const TIMEOUT_MS = 5_000;
/** The reason when all push subscriptions of the customer have expired. */
export const PUSH_SUBSCRIPTIONS_EXPIRED = 'push_gone';
const TTL_SECONDS = 86_400;

type VapidSettings = { subject: string; publicKey: string; privateKey: string };

/** The push services of browser vendors. Customers send the URL that is called, so no other hosts are allowed (SSRF). */
const PUSH_HOSTS = [
  'fcm.googleapis.com',
  'push.services.mozilla.com',
  'notify.windows.com',
  'push.apple.com',
] as const;

/**
 * Returns the normalized URL of a push service, or undefined for any other URL. Host names of plain characters only: web-push parses the
 * URL with another parser, which could find another host in it.
 */
export function parsePushEndpoint(url: string): string | undefined {
  const { protocol, hostname = '', port, username, password, href } = URL.parse(url) ?? {};
  const isPlain = protocol === 'https:' && port === '' && username === '' && password === '';
  const isAllowedHost = PUSH_HOSTS.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  return isPlain && isAllowedHost && /^[a-z0-9.-]+$/.test(hostname) ? href : undefined;
}

/**
 * Sends Web Push to every browser of the customer, at public addresses only. Succeeds if at least one push service accepts it.
 */
export function createPushSender(vapidDetails: VapidSettings, resolve?: ResolveHost): Send {
  // biome-ignore lint/suspicious/noExplicitAny: the types declare only one of the two forms that sockets call
  const agent = new Agent({ lookup: createPublicLookup(resolve) as any });
  return async ({ subscriptions, subject, text, link }) => {
    if (subscriptions.length === 0)
      throw new SendFailure('no_browser', { isPermanent: true, affectsAll: false });
    const payload = JSON.stringify({ title: subject, body: text, url: link });
    const outcomes = await Promise.allSettled(
      subscriptions.map(async (subscription) => {
        const endpoint = parsePushEndpoint(subscription.endpoint);
        if (endpoint === undefined)
          throw Object.assign(new Error('Not a push service.'), { statusCode: 404 });
        const options = { vapidDetails, TTL: TTL_SECONDS, timeout: TIMEOUT_MS, agent };
        await webPush.sendNotification({ ...subscription, endpoint }, payload, options);
      }),
    );
    if (outcomes.some(({ status }) => status === 'fulfilled')) return { providerId: null };
    const statuses = outcomes.map((outcome) => readStatus((outcome as PromiseRejectedResult).reason));
    const otherStatus = statuses.find((status) => status !== 404 && status !== 410);
    if (otherStatus === undefined)
      throw new SendFailure(PUSH_SUBSCRIPTIONS_EXPIRED, { isPermanent: true, affectsAll: false });
    const isServiceFailure = otherStatus === 0 || otherStatus === 429 || otherStatus >= 500;
    throw new SendFailure(otherStatus === 0 ? 'unreachable' : `push_${otherStatus}`, {
      isPermanent: !isServiceFailure,
      affectsAll: isServiceFailure,
    });
  };
}

const readStatus = (error: unknown): number => (error as { statusCode?: number }).statusCode ?? 0;
