import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { LINK_HEADER, linkHeader, pageParameters } from '#platform/http/pagination.ts';
import { notFound } from '#platform/problem.ts';
import { findReferral } from '../reading-store.ts';
import { renderReferral } from '../render.ts';
import type { Rewards } from '../rewards.ts';
import { Referral } from '../schemas.ts';

export const getWalletReferral = ({ db, clock, referral, publicUrl }: Rewards) =>
  endpoint({
    method: 'GET',
    url: '/wallet/referral',
    access: { scope: 'wallet', customer: true },
    id: 'getReferral',
    tag: 'Wallet',
    summary: 'Show the referral code and what came of it',
    description:
      'The hundred newest invitations, and with `page` those before; `summary` counts all. The customer and the invited are ' +
      'credited with cashback when the invited settles a first installment within 90 days.',
    query: Type.Object(pageParameters(100)),
    answers: { 200: { description: 'The referral program.', schema: Referral, headers: LINK_HEADER } },
    problems: [notFound],
    async handler(request, reply) {
      const { page, limit } = request.query;
      const { customerId } = request.caller;
      const row = await findReferral(db, customerId, { offset: (page - 1) * limit, limit });
      if (!row) throw notFound('The customer of the token in x-token is gone.');
      reply.header('link', linkHeader(`${publicUrl()}/wallet/referral`, { page, limit }, row.invited));
      return renderReferral(row, referral, clock.now());
    },
  });
