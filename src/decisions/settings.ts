import { BUILT_IN_POLICIES, builtInPolicy } from '#core/decision.ts';
import { choice, defineSettings, integer, reais, type SettingsOf, text, webUrl } from '#platform/settings.ts';

export const decisionsSettings = defineSettings(
  {
    firstLimit: {
      name: 'DEFAULT_CREDIT_LIMIT',
      meaning: {
        en: 'the first limit of who signs up, in reais, by the policy that is built in; one that the operator sets has its own',
        pt: 'primeiro limite de quem se cadastra, em reais, pela política de fábrica; a que a operadora definir tem o seu',
      },
      default: { sandbox: '500.00', live: '150.00' },
      read: reais,
    },
    policy: {
      name: 'CREDIT_POLICY',
      meaning: {
        en: 'the policy that is built in, until the operator sets one: cautious, or open for trying things out',
        pt: 'política de crédito de fábrica, até a operadora definir uma: cautious (cautelosa) ou open (aberta, para experimentar)',
      },
      default: { sandbox: 'open', live: 'cautious' },
      read: choice(...BUILT_IN_POLICIES),
    },
    bureauUrl: {
      name: 'BUREAU_URL',
      meaning: {
        en: 'address of the credit bureau; without it none is asked',
        pt: 'endereço do bureau de crédito; sem ele, nenhum é consultado',
      },
      shown: { en: '-, in the sandbox (simulator)', pt: '-, na sandbox (simulador)' },
      read: webUrl,
    },
    bureauToken: {
      name: 'BUREAU_TOKEN',
      meaning: { en: 'secret for the credit bureau', pt: 'segredo de acesso ao bureau de crédito' },
      secret: true,
      read: text,
    },
    bureauTimeout: {
      name: 'BUREAU_TIMEOUT',
      meaning: {
        en: 'for how many seconds an answer of the bureau is waited for, 1 to 30',
        pt: 'por quantos segundos se espera a resposta do bureau de crédito, 1 a 30',
      },
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
