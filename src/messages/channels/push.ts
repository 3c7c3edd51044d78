import { Agent } from 'node:https';
import webPush from 'web-push';
import { createPublicLookup, type ResolveHost } from '#platform/http/ip-addresses.ts';
import { type Send, SendFailure } from './channel.ts';

const TIMEOUT_MS = 5_000;
/** The reason of the failure when all push subscriptions of the customer have expired. */
export const PUSH_SUBSCRIPTIONS_EXPIRED = 'push_gone';
/** How long a push service stores a message for a browser that is offline. */
const TTL_SECONDS = 86_400;

type VapidSettings = { subject: string; publicKey: string; privateKey: string };

/** The push services of browser vendors. No other hosts are allowed, because customers send the URL that we call (SSRF). */
const PUSH_HOSTS = [
  'fcm.googleapis.com',
  'push.services.mozilla.com',
  'notify.windows.com',
  'push.apple.com',
] as const;

/**
 * Returns the normalized URL of a push service, or undefined for any other URL. Allows only host names of plain characters: web-push
 * uses another parser, which could read another host name from the same URL.
 */
export function parsePushEndpoint(url: string): string | undefined {
  const { protocol, hostname = '', port, username, password, href } = URL.parse(url) ?? {};
  const isPlainUrl = protocol === 'https:' && port === '' && username === '' && password === '';
  const isAllowedHost = PUSH_HOSTS.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  return isPlainUrl && isAllowedHost && /^[a-z0-9.-]+$/.test(hostname) ? href : undefined;
}

/**
 * Sends Web Push messages to every browser of the customer, only to public IP addresses. Succeeds if a push service accepts one.
 */
export function createPushSender(vapidDetails: VapidSettings, resolveHost?: ResolveHost): Send {
  // biome-ignore lint/suspicious/noExplicitAny: the types declare only one of the two callback signatures of `lookup`
  const agent = new Agent({ lookup: createPublicLookup(resolveHost) as any });
  return async ({ subscriptions, subject, text, link }) => {
    if (subscriptions.length === 0)
      throw new SendFailure('no_browser', { isPermanent: true, isGeneral: false });
    const payload = JSON.stringify({ title: subject, body: text, url: link });
    const outcomes = await Promise.allSettled(
      subscriptions.map(async (subscription) => {
        const endpoint = parsePushEndpoint(subscription.endpoint);
        // Has the same effect as the response to an expired subscription.
        if (endpoint === undefined)
          throw Object.assign(new Error('Not a push service.'), { statusCode: 404 });
        const options = { vapidDetails, TTL: TTL_SECONDS, timeout: TIMEOUT_MS, agent };
        await webPush.sendNotification({ ...subscription, endpoint }, payload, options);
      }),
    );
    if (outcomes.some(({ status }) => status === 'fulfilled')) return { providerId: null };
    // 404 and 410 mean that the subscription has expired.
    const statuses = outcomes.map((outcome) => readStatus((outcome as PromiseRejectedResult).reason));
    const failureStatus = statuses.find((status) => status !== 404 && status !== 410);
    if (failureStatus === undefined)
      throw new SendFailure(PUSH_SUBSCRIPTIONS_EXPIRED, { isPermanent: true, isGeneral: false });
    const isServiceFailure = failureStatus === NO_RESPONSE || failureStatus === 429 || failureStatus >= 500;
    throw new SendFailure(failureStatus === NO_RESPONSE ? 'unreachable' : `push_${failureStatus}`, {
      isPermanent: !isServiceFailure,
      isGeneral: isServiceFailure,
    });
  };
}

/** The status of a push service that did not respond. */
const NO_RESPONSE = 0;

const readStatus = (error: unknown): number => (error as { statusCode?: number }).statusCode ?? NO_RESPONSE;
