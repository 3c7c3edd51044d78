import { HOUR_MS } from '#core/values/duration.ts';
import { rateLimited } from '#partners';
import type { Tx } from '#platform/database/db.ts';
import { toWideNetwork } from '#platform/http/ip-addresses.ts';
import { countMessage, type MessageCap, type ReportCap } from '#platform/messages/message-caps.ts';
import type { Log } from '#platform/observability/log.ts';
import { withRetryAfter } from '#platform/problem.ts';
import type { CustomerMetrics } from './metrics.ts';
import type { Recognition } from './sessions/store.ts';
import type { CustomersSettings } from './settings.ts';

/**
 * Shares of the hourly caps that codes can use, so that strangers cannot exhaust them: the rest is reserved for phones of customers, and
 * of that a part for customers at an IP address or on a device where they logged in before.
 */
const SHARES = { unregistered: 0.5, unrecognized: 0.8 };

type MessageOrigin = {
  keyId?: string;
  /** The key of a server that calls on behalf of many consumers is limited by their networks instead. */
  isBackend?: boolean;
  /** IP address of the request, for messages that an anonymous visitor can request. */
  address?: string;
  recipient?: Recognition;
  extraCaps?: readonly MessageCap[];
};

/** Counts a message with the commit of the transaction that enqueues it, which throws a 429 if a cap is reached. */
export type CountMessage = (tx: Tx, origin: MessageOrigin, now: Date) => void;

export const createMessageCounter =
  ({ messageCaps }: Pick<CustomersSettings, 'messageCaps'>, report: ReportCap): CountMessage =>
  (tx, origin, now) => {
    const { perHour, perKey, perNetwork } = messageCaps;
    const { keyId, isBackend, address, recipient, extraCaps = [] } = origin;
    const perHourCap = (name: string, maxMessages: number, subject: string): MessageCap => ({
      name,
      maxMessages,
      windowMs: HOUR_MS,
      subject: tx.vault.hash('messages', subject),
      toProblem: tooManyMessages,
    });
    /** The cap, and the parts of it that may be used for this recipient. */
    const withShares = (name: string, maxMessages: number, subject: string): MessageCap[] => {
      const share = (group: keyof typeof SHARES) =>
        perHourCap(`${name}_${group}`, Math.max(1, Math.floor(maxMessages * SHARES[group])), subject);
      return [
        perHourCap(name, maxMessages, subject),
        ...(recipient && !recipient.isKnown ? [share('unrecognized')] : []),
        ...(recipient && !recipient.isRegistered ? [share('unregistered')] : []),
      ];
    };
    const caps = [...withShares('overall', perHour, ''), ...extraCaps];
    if (keyId !== undefined && !isBackend)
      caps.push(...withShares('key', perKey, keyId).map((cap) => ({ ...cap, label: keyId })));
    if (address !== undefined) caps.push(perHourCap('network', perNetwork, toWideNetwork(address)));
    countMessage(tx, caps, now, report);
  };

const tooManyMessages = (seconds: string) =>
  rateLimited(
    withRetryAfter(seconds, {
      en: 'Too many messages were requested.',
      pt: 'Mensagens demais foram pedidas.',
    }),
  );

export const createCapReporter =
  ({ metrics, log }: { metrics: Pick<CustomerMetrics, 'messageCaps'>; log: Log }): ReportCap =>
  (outcome, { name, maxMessages, label }, used) => {
    metrics.messageCaps.inc({ cap: name, outcome });
    if (outcome === 'near')
      log.warn(
        { cap: name, of: label, most: maxMessages, used: Math.floor(used) },
        'messages are near their cap',
      );
  };
