import type { Settings } from '#platform/settings.ts';

export type WebhookSettings = { timeoutMs: number };

export const webhookSettings: Settings<WebhookSettings> = {
  declared: [
    {
      name: 'WEBHOOK_TIMEOUT_MS',
      fallback: '10000',
      meaning: 'how long one call of a webhook endpoint may take, 500 to 30000',
    },
  ],
  read: (from) => ({ timeoutMs: from.integer('WEBHOOK_TIMEOUT_MS', 10_000, 500, 30_000) }),
};
