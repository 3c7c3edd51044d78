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
 * Shares of the hourly caps that messages to unregistered phones, and to customers at an unknown IP address and device, can use. The rest
 * is reserved, so that strangers cannot exhaust the caps.
 */
const CAP_SHARES = { unregistered: 0.5, unrecognized: 0.8 };

type MessageOrigin = {
  keyId?: string;
  /** Whether the key belongs to a server that calls for many consumers. Their networks are limited instead of the key. */
  isBackend?: boolean;
  /** IP address of the request, for messages that an anonymous visitor can request. */
  address?: string;
  recognition?: Recognition;
  extraCaps?: readonly MessageCap[];
};

/** Counts a message when the transaction that enqueues it commits. The commit throws a 429 if a cap is reached. */
export type CountMessage = (tx: Tx, origin: MessageOrigin, now: Date) => void;

export const createMessageCounter =
  ({ messageCaps }: Pick<CustomersSettings, 'messageCaps'>, report: ReportCap): CountMessage =>
  (tx, origin, now) => {
    const { perHour, perKey, perNetwork } = messageCaps;
    const { keyId, isBackend, address, recognition, extraCaps = [] } = origin;
    const buildHourlyCap = (name: string, maxMessages: number, subject: string): MessageCap => ({
      name,
      maxMessages,
      windowMs: HOUR_MS,
      subject: tx.vault.hash('messages', subject),
      toProblem: tooManyMessages,
    });
    /** Returns the cap, and the smaller caps for a recipient who is not recognized or not registered. */
    const buildCaps = (name: string, maxMessages: number, subject = ''): MessageCap[] => {
      const buildShareCap = (group: keyof typeof CAP_SHARES) =>
        buildHourlyCap(`${name}_${group}`, Math.max(1, Math.floor(maxMessages * CAP_SHARES[group])), subject);
      return [
        buildHourlyCap(name, maxMessages, subject),
        ...(recognition && !recognition.isKnown ? [buildShareCap('unrecognized')] : []),
        ...(recognition && !recognition.isRegistered ? [buildShareCap('unregistered')] : []),
      ];
    };
    const caps = [...buildCaps('overall', perHour), ...extraCaps];
    if (keyId !== undefined && !isBackend)
      caps.push(...buildCaps('key', perKey, keyId).map((cap) => ({ ...cap, label: keyId })));
    if (address !== undefined) caps.push(buildHourlyCap('network', perNetwork, toWideNetwork(address)));
    countMessage(tx, caps, now, report);
  };

const tooManyMessages = (retryAfterSeconds: string) =>
  rateLimited(
    withRetryAfter(retryAfterSeconds, {
      en: 'Too many messages were requested.',
      pt: 'Mensagens demais foram pedidas.',
    }),
  );

export const createCapReporter =
  ({ metrics, log }: { metrics: Pick<CustomerMetrics, 'messageCaps'>; log: Log }): ReportCap =>
  (outcome, { name, maxMessages, label }, usage) => {
    metrics.messageCaps.inc({ cap: name, outcome });
    if (outcome === 'near')
      log.warn(
        { cap: name, label, max_messages: maxMessages, used: Math.floor(usage) },
        'messages are near their cap',
      );
  };
