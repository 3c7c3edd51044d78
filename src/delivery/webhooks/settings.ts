import { defineSettings, integer, type SettingsOf } from '#platform/settings.ts';

export const webhookSettings = defineSettings({
  timeoutMs: {
    name: 'WEBHOOK_TIMEOUT_MS',
    meaning: {
      en: 'how long one call of a webhook endpoint may take, 500 to 30000',
      pt: 'quantos milissegundos pode levar uma chamada a um endpoint de webhook, 500 a 30000',
    },
    default: '10000',
    read: integer(500, 30_000),
  },
});

export type WebhookSettings = SettingsOf<typeof webhookSettings>;
