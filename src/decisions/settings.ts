import { BUILT_IN_POLICIES, builtInPolicy } from '#core/decision.ts';
import { choice, defineSettings, integer, reais, type SettingsOf, text, webUrl } from '#platform/settings.ts';

export const decisionsSettings = defineSettings(
  {
    firstLimit: {
      name: 'DEFAULT_CREDIT_LIMIT',
      meaning:
        'the first limit of who signs up, in reais, by the policy that is built in; one that the operator sets has its own',
      default: { sandbox: '500.00', live: '150.00' },
      read: reais,
    },
    policy: {
      name: 'CREDIT_POLICY',
      meaning:
        'the policy that is built in, until the operator sets one: cautious, or open for trying things out',
      default: { sandbox: 'open', live: 'cautious' },
      read: choice(...BUILT_IN_POLICIES),
    },
    bureauUrl: {
      name: 'BUREAU_URL',
      meaning: 'address of the credit bureau; without it none is asked',
      shown: '-, in the sandbox (simulator)',
      read: webUrl,
    },
    bureauToken: { name: 'BUREAU_TOKEN', meaning: 'secret for the credit bureau', secret: true, read: text },
    bureauTimeout: {
      name: 'BUREAU_TIMEOUT',
      meaning: 'for how many seconds an answer of the bureau is waited for, 1 to 30',
      default: '3',
      read: integer(1, 30),
    },
  },
  ({ firstLimit, policy, bureauTimeout, ...bureau }) => ({
    ...bureau,
    firstLimit,
    builtIn: builtInPolicy(policy, firstLimit),
    bureauTimeoutMs: bureauTimeout * 1_000,
  }),
);

export type DecisionsSettings = SettingsOf<typeof decisionsSettings>;
