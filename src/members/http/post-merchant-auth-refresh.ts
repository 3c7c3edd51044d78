import { Type } from 'typebox';
import { RefreshForm, refreshSession, tokenExpired, tokenInvalid, tokenPartnerMismatch } from '#customers';
import { clientIpHeader } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { idempotency } from '#platform/http/idempotency.ts';
import type { Members } from '../members.ts';
import { MemberLogin } from '../schemas.ts';
import { answerMemberLogin } from '../sign-in.ts';

export const postMerchantAuthRefresh = (members: Members) =>
  endpoint('POST /merchant/auth/refresh', {
    access: { scope: 'till' },
    id: 'refreshMember',
    summary: 'Exchange the refresh token of a member for new tokens',
    description: 'As for customers: it works once, and using one twice ends the session.',
    headers: Type.Object({ ...idempotency.header.properties, ...clientIpHeader.properties }),
    body: RefreshForm,
    answers: {
      200: { description: 'The next tokens.', schema: MemberLogin, headers: idempotency.replayed },
    },
    problems: [tokenInvalid, tokenExpired, tokenPartnerMismatch],
    async handler(request, reply) {
      const { session, replayed } = await refreshSession(members.signIn, {
        text: request.body.refresh_token,
        partnerId: request.caller.partnerId,
        address: request.caller.address,
        key: request.headers['idempotency-key'],
      });
      if (replayed) reply.header('idempotency-replayed', 'true');
      return answerMemberLogin(members, session);
    },
  });
