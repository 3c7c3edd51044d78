import type { Metrics } from '#platform/observability/metrics.ts';

export type MessageMetrics = ReturnType<typeof createMessageMetrics>;

export const createMessageMetrics = ({ counter }: Metrics) => ({
  messages: counter(
    'messages_total',
    'Attempts to send a message, by channel: sent, to be retried, or failed permanently.',
    'channel',
    'outcome',
  ),
  failures: counter(
    'message_failures_total',
    'Failures of providers, by channel and reason: failed attempts, and messages reported as undelivered.',
    'channel',
    'reason',
  ),
});
