import { HOUR_MS } from '#core/duration.ts';
import { rateLimited } from '#partners';
import type { Tx } from '#platform/database/db.ts';
import { wideNetworkOf } from '#platform/http/network.ts';
import { type CapReport, countMessage, type MessageCap } from '#platform/messages/message-caps.ts';
import type { Log } from '#platform/observability/log.ts';
import { retryIn } from '#platform/problem.ts';
import { service } from '#platform/service.ts';
import type { CustomerMetrics } from './metrics.ts';
import type { CustomersSettings } from './settings.ts';

/** What a message counts for, beside the overall cap. */
type MessageOrigin = {
  keyId?: string;
  /** The address that requested it, for messages that anybody can request. */
  address?: string;
  /** Caps of the module that sends it. */
  further?: readonly MessageCap[];
};

/** Counts a message that is about to be enqueued. Throws a 429 where a cap is reached: call it in that transaction, last. */
export type CountMessage = (tx: Tx, origin: MessageOrigin, now: Date) => Promise<void>;

/** For commands, which have no metrics. */
export const messageCounter = service<CountMessage>('message counter');

export const openMessageCounter =
  (settings: () => Pick<CustomersSettings, 'messageCaps'>, report: CapReport): CountMessage =>
  (tx, origin, now) => {
    const { perHour, perKey, perNetwork } = settings().messageCaps;
    const { keyId, address, further = [] } = origin;
    const inAnHour = (name: string, most: number, of: string): MessageCap => ({
      name,
      most,
      windowMs: HOUR_MS,
      subject: tx.vault.hash('messages', of),
      refusal,
    });
    const caps = [inAnHour('overall', perHour, ''), ...further];
    if (keyId !== undefined) caps.push({ ...inAnHour('key', perKey, keyId), label: keyId });
    if (address !== undefined) caps.push(inAnHour('network', perNetwork, wideNetworkOf(address)));
    return countMessage(tx, caps, now, report);
  };

const refusal = (seconds: string) =>
  rateLimited(
    retryIn(seconds, {
      en: 'Too many messages were asked for.',
      pt: 'Mensagens demais foram pedidas.',
    }),
  );

export const reportCaps =
  ({ metrics, log }: { metrics: Pick<CustomerMetrics, 'messageCaps'>; log: Log }): CapReport =>
  (outcome, { name, most, label }, used) => {
    metrics.messageCaps.inc({ cap: name, outcome });
    if (outcome === 'near')
      log.warn({ cap: name, of: label, most, used: Math.floor(used) }, 'messages are near their cap');
  };
