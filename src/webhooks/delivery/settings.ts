import { defineSettings, integer, type SettingsOf } from '#platform/settings.ts';

export const webhookSettings = defineSettings({
  timeoutMs: {
    name: 'WEBHOOK_TIMEOUT_MS',
    description: 'timeout of one call to a webhook endpoint in milliseconds, 500 to 30000',
    default: '10000',
    parse: integer(500, 30_000),
  },
});

export type WebhookSettings = SettingsOf<typeof webhookSettings>;
