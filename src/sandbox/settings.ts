import { defineSettings, port } from '#platform/settings.ts';

export const sandboxSettings = defineSettings({
  pspPort: {
    name: 'PSP_PORT',
    description: 'port of the PSP simulator (sandbox); 0 picks a free one',
    default: '3002',
    parse: port,
  },
});
