import { defineProblem } from '#platform/problem.ts';

export const ownApproval = defineProblem({
  code: 'own_approval',
  status: 409,
  title: { en: 'A second person decides', pt: 'Uma segunda pessoa decide' },
  cause: 'Who asked for something that needs two people cannot approve it.',
  remedy: 'Have somebody else with the role look at it. You may refuse it yourself, which takes it back.',
  detail: { en: 'You asked for this yourself.', pt: 'Foi você quem pediu.' },
});

export const approvalClosed = defineProblem({
  code: 'approval_closed',
  status: 409,
  title: { en: 'It was decided already', pt: 'Já foi decidido' },
  cause: 'It was approved, refused or has expired: after seven days nothing waits any more.',
  remedy: 'Look at its status. If it is still wanted, ask for it again.',
  detail: (status: string) => ({
    en: `It is ${status}.`,
    pt: `A situação é: ${status}.`,
    members: { approval_status: status },
  }),
});

export const actFailed = defineProblem({
  code: 'act_failed',
  status: 409,
  title: { en: 'It could not be done any more', pt: 'Não foi mais possível' },
  cause: 'Between asking and approving something has changed, and the service refused the act.',
  remedy: 'The detail says what is in the way. If it is still wanted, ask for it again.',
  detail: (outcome: string) => ({ en: outcome, pt: outcome }),
});
