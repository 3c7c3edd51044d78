import { endpoint } from '#platform/http/endpoint.ts';
import { notFound } from '#platform/problem.ts';
import type { Members } from '../members.ts';
import { MemberLogin, SwitchForm } from '../schemas.ts';
import { switchMerchant } from '../sign-in.ts';

export const postMerchantAuthSwitch = (members: Members) =>
  endpoint('POST /merchant/auth/switch', {
    access: { scope: 'till', member: 'clerk' },
    id: 'switchMerchant',
    summary: 'Act for another merchant of which you are a member',
    description: 'Answers new tokens, as a login does. The session it is asked with ends.',
    body: SwitchForm,
    notFound: {
      en: 'You are not a member of a merchant with this slug.',
      pt: 'Você não faz parte de uma loja com este slug.',
    },
    answers: { 200: { description: 'Logged in there.', schema: MemberLogin } },
    problems: [notFound],
    handler: (request) => switchMerchant(members, request.body.merchant, request.caller),
  });
