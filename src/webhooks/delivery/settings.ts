import { defineSettings, integer, type SettingsOf } from '#platform/settings.ts';

export const webhookSettings = defineSettings({
  timeoutMs: {
    name: 'WEBHOOK_TIMEOUT_MS',
    description: {
      en: 'timeout of one call to a webhook endpoint in milliseconds, 500 to 30000',
      pt: 'quantos milissegundos pode levar uma chamada a um endpoint de webhook, 500 a 30000',
    },
    default: '10000',
    parse: integer(500, 30_000),
  },
});

export type WebhookSettings = SettingsOf<typeof webhookSettings>;
