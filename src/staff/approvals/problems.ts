import { defineProblem } from '#platform/problem.ts';

export const ownApproval = defineProblem({
  code: 'own_approval',
  status: 409,
  title: { en: 'A second person must decide', pt: 'Uma segunda pessoa decide' },
  cause: 'The requester of an action cannot approve it.',
  remedy: 'Ask another person with the required role. You may refuse the action yourself, which cancels it.',
  detail: { en: 'You requested this action yourself.', pt: 'Foi você quem pediu.' },
});

export const approverTooNew = defineProblem({
  code: 'approver_too_new',
  status: 403,
  title: { en: 'The approver is too new', pt: 'Quem aprova entrou há pouco' },
  cause: 'The requester invited or reset the approver within the last 24 hours.',
  remedy: 'Ask another person with the required role, or wait.',
  detail: {
    en: 'The requester invited or reset you less than 24 hours ago.',
    pt: 'Quem pediu convidou você, ou refez o seu acesso, há menos de 24 horas.',
  },
});

export const approvalClosed = defineProblem({
  code: 'approval_closed',
  status: 409,
  title: { en: 'The approval is closed', pt: 'Já foi decidido' },
  cause: 'The action was approved or refused, or the approval has expired: it is open for seven days.',
  remedy: 'Check the status. If the action is still needed, request it again.',
  detail: (status: string) => ({
    en: `The status of the approval is '${status}'.`,
    pt: `A situação é: ${status}.`,
    members: { approval_status: status },
  }),
});

export const actFailed = defineProblem({
  code: 'act_failed',
  status: 409,
  title: { en: 'The action is no longer possible', pt: 'Não foi mais possível' },
  cause: 'Something has changed between the request and the approval, and the service refused the action.',
  remedy: '`detail` has the reason. If the action is still needed, request it again.',
  detail: (outcome: string) => ({ en: outcome, pt: outcome }),
});
