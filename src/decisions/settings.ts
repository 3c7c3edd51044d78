import { BUILT_IN_POLICIES, buildPolicy } from '#core/finance/decision.ts';
import { choice, defineSettings, integer, reais, type SettingsOf, text, webUrl } from '#platform/settings.ts';

export const decisionsSettings = defineSettings(
  {
    firstLimit: {
      name: 'DEFAULT_CREDIT_LIMIT',
      description:
        'credit limit of a new customer in reais, in the built-in policy; a policy that the operator sets has its own',
      default: { sandbox: '500.00', live: '150.00' },
      parse: reais,
    },
    policy: {
      name: 'CREDIT_POLICY',
      description: 'built-in credit policy, used until the operator sets one: cautious, or open (for tests)',
      default: { sandbox: 'open', live: 'cautious' },
      parse: choice(...BUILT_IN_POLICIES),
    },
    bureauUrl: {
      name: 'BUREAU_URL',
      description: 'URL of the credit bureau; without it no reports are requested',
      defaultLabel: '-, in the sandbox (simulator)',
      parse: webUrl,
    },
    bureauToken: {
      name: 'BUREAU_TOKEN',
      description: 'secret for the credit bureau',
      secret: true,
      parse: text,
    },
    bureauTimeout: {
      name: 'BUREAU_TIMEOUT',
      description: 'timeout of requests to the credit bureau in seconds, 1 to 30',
      default: '3',
      parse: integer(1, 30),
    },
  },
  ({ firstLimit, policy, bureauTimeout, ...bureauSettings }) => ({
    ...bureauSettings,
    firstLimit,
    builtInPolicy: buildPolicy(policy, firstLimit),
    bureauTimeoutMs: bureauTimeout * 1_000,
  }),
);

export type DecisionsSettings = SettingsOf<typeof decisionsSettings>;
