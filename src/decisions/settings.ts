import { BUILT_IN_POLICIES, builtInPolicy } from '#core/decision.ts';
import { choice, defineSettings, reais, type SettingsOf } from '#platform/settings.ts';

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
  },
  ({ firstLimit, policy }) => ({ firstLimit, builtIn: builtInPolicy(policy, firstLimit) }),
);

export type DecisionsSettings = SettingsOf<typeof decisionsSettings>;
