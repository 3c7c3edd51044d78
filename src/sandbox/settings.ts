import type { Settings } from '#platform/settings.ts';

type SandboxSettings = { pspPort: number };

export const sandboxSettings: Settings<SandboxSettings> = {
  declared: [
    {
      name: 'PSP_PORT',
      fallback: '3002',
      meaning: 'port of the PSP simulator (sandbox); 0 picks a free one',
    },
  ],
  read: (from) => ({ pspPort: from.integer('PSP_PORT', 3002, 0, 65535) }),
};
