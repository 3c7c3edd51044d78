import { BUILT_IN_POLICIES, buildPolicy } from '#core/finance/decision.ts';
import { choice, defineSettings, integer, reais, type SettingsOf, text, webUrl } from '#platform/settings.ts';

export const decisionsSettings = defineSettings(
  {
    firstLimit: {
      name: 'DEFAULT_CREDIT_LIMIT',
      description: {
        en: 'credit limit of a new customer in reais, in the built-in policy; a policy that the operator sets has its own',
        pt: 'primeiro limite de quem se cadastra, em reais, pela política de fábrica; a que a operadora definir tem o seu',
      },
      default: { sandbox: '500.00', live: '150.00' },
      parse: reais,
    },
    policy: {
      name: 'CREDIT_POLICY',
      description: {
        en: 'built-in credit policy, used until the operator sets one: cautious, or open (for tests)',
        pt: 'política de crédito de fábrica, até a operadora definir uma: cautious (cautelosa) ou open (aberta, para experimentar)',
      },
      default: { sandbox: 'open', live: 'cautious' },
      parse: choice(...BUILT_IN_POLICIES),
    },
    bureauUrl: {
      name: 'BUREAU_URL',
      description: {
        en: 'URL of the credit bureau; without it no reports are requested',
        pt: 'endereço do bureau de crédito; sem ele, nenhum é consultado',
      },
      defaultLabel: { en: '-, in the sandbox (simulator)', pt: '-, na sandbox (simulador)' },
      parse: webUrl,
    },
    bureauToken: {
      name: 'BUREAU_TOKEN',
      description: { en: 'secret for the credit bureau', pt: 'segredo de acesso ao bureau de crédito' },
      secret: true,
      parse: text,
    },
    bureauTimeout: {
      name: 'BUREAU_TIMEOUT',
      description: {
        en: 'timeout of requests to the credit bureau in seconds, 1 to 30',
        pt: 'por quantos segundos se espera a resposta do bureau de crédito, 1 a 30',
      },
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
