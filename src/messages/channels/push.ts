import webPush from 'web-push';
import { NotSent, type Send } from './channel.ts';

const TIMEOUT_MS = 5_000;
/** All push subscriptions of the customer have expired. */
export const PUSH_GONE = 'push_gone';
const LIFE_SECONDS = 86_400;

type VapidSettings = { subject: string; publicKey: string; privateKey: string };

/** Push services of browser vendors. This service calls addresses that customers send, so it accepts no others (SSRF). */
const PUSH_HOSTS = [
  'fcm.googleapis.com',
  'push.services.mozilla.com',
  'notify.windows.com',
  'push.apple.com',
] as const;

export function isPushService(address: string): boolean {
  const { protocol, hostname, port, username } = URL.parse(address) ?? {};
  return (
    protocol === 'https:' &&
    port === '' &&
    username === '' &&
    PUSH_HOSTS.some((host) => hostname === host || hostname?.endsWith(`.${host}`))
  );
}

/** Web Push to every browser of the customer's. One that accepts it is enough. */
export function pushSender(vapidDetails: VapidSettings): Send {
  return async ({ subscriptions, subject, text, link }) => {
    if (subscriptions.length === 0) throw new NotSent('no_browser', { permanent: true, concernsAll: false });
    const payload = JSON.stringify({ title: subject, body: text, url: link });
    const outcomes = await Promise.allSettled(
      subscriptions.map((one) =>
        webPush.sendNotification(one, payload, { vapidDetails, TTL: LIFE_SECONDS, timeout: TIMEOUT_MS }),
      ),
    );
    if (outcomes.some(({ status }) => status === 'fulfilled')) return { providerId: null };
    const failures = outcomes.map((outcome) => statusOf((outcome as PromiseRejectedResult).reason));
    const worst = failures.find((status) => status !== 404 && status !== 410);
    if (worst === undefined) throw new NotSent(PUSH_GONE, { permanent: true, concernsAll: false });
    const isTheirs = worst === 0 || worst === 429 || worst >= 500;
    throw new NotSent(worst === 0 ? 'unreachable' : `push_${worst}`, {
      permanent: !isTheirs,
      concernsAll: isTheirs,
    });
  };
}

const statusOf = (error: unknown): number => (error as { statusCode?: number }).statusCode ?? 0;
