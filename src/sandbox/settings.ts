import { defineSettings, port } from '#platform/settings.ts';

export const sandboxSettings = defineSettings({
  pspPort: {
    name: 'PSP_PORT',
    description: {
      en: 'port of the PSP simulator (sandbox); 0 picks a free one',
      pt: 'porta TCP do simulador do PSP (sandbox); 0 escolhe uma livre',
    },
    default: '3002',
    parse: port,
  },
});
