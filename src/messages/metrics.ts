import type { Metrics } from '#platform/observability/metrics.ts';

export type MessageMetrics = ReturnType<typeof messageMetrics>;

export const messageMetrics = ({ counter }: Metrics) => ({
  messages: counter(
    'messages_total',
    'Attempts to send a message, by channel: sent, to be retried, or failed for good.',
    'channel',
    'outcome',
  ),
  failures: counter(
    'message_failures_total',
    'Refusals and failures of providers, by channel and reason: one for each attempt, and for each message reported as undelivered.',
    'channel',
    'reason',
  ),
});
