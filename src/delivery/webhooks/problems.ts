import { problem } from '#platform/problem.ts';

export const partnerUnknown = problem({
  code: 'partner_unknown',
  status: 422,
  title: 'There is no such partner',
  titlePt: 'Parceiro desconhecido',
  cause: '`partner` is neither the id nor the name of a partner.',
  remedy: 'Look it up with `semana partner list`.',
});

export const webhookDisabled = problem({
  code: 'webhook_disabled',
  status: 409,
  title: 'The webhook endpoint is disabled',
  titlePt: 'O endpoint de webhook está desativado',
  cause: 'Nothing is delivered to an endpoint that is disabled.',
  remedy: 'Enable it, then try again.',
});

export const tooManyWebhooks = problem({
  code: 'too_many_webhooks',
  status: 409,
  title: 'The partner has too many webhook endpoints',
  titlePt: 'O parceiro tem endpoints de webhook demais',
  cause: 'Every event goes to each of a partner’s endpoints that wants it, so their number is bounded.',
  remedy: 'Use one of those there are: they are listed with `GET /admin/webhooks?partner=`.',
});

export const webhookProblems = [partnerUnknown, webhookDisabled, tooManyWebhooks];
