import type { Metrics } from '#platform/observability/metrics.ts';

export type MessageMetrics = ReturnType<typeof messageMetrics>;

export const messageMetrics = ({ counter }: Metrics) => ({
  messages: counter(
    'messages_total',
    'Attempts to send a message, by channel: sent, to be retried, or failed for good.',
    'channel',
    'outcome',
  ),
});
