import { defineProblem } from '#platform/problem.ts';

export const partnerUnknown = defineProblem({
  code: 'partner_unknown',
  status: 422,
  title: { en: 'There is no such partner', pt: 'Parceiro desconhecido' },
  cause: '`partner` is neither the id nor the name of a partner.',
  remedy: 'Look it up with `semana partners list`.',
  detail: (partner: string) => ({
    en: `There is no partner '${partner}'.`,
    pt: `O parceiro '${partner}' não existe.`,
  }),
});

export const webhookDisabled = defineProblem({
  code: 'webhook_disabled',
  status: 409,
  title: { en: 'The webhook endpoint is disabled', pt: 'O endpoint de webhook está desativado' },
  cause: 'A disabled endpoint receives no deliveries.',
  remedy: 'Enable the endpoint and retry.',
  detail: {
    en: 'The endpoint is disabled: enable it first.',
    pt: 'O endpoint está desativado: ative-o primeiro.',
  },
});

export const tooManyWebhooks = defineProblem({
  code: 'too_many_webhooks',
  status: 409,
  title: {
    en: 'The partner has too many webhook endpoints',
    pt: 'O parceiro tem endpoints de webhook demais',
  },
  cause: 'Every event is delivered to all matching endpoints of a partner, so their number is limited.',
  remedy: 'Use an existing endpoint: list them with `GET /webhooks`.',
  detail: (limit: number) => ({
    en: `A partner may have ${limit} webhook endpoints.`,
    pt: `Um parceiro pode ter ${limit} endpoints de webhook.`,
  }),
});
