import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import {
  LINK_HEADER,
  linkHeader,
  pageParameters,
  upToParameter,
  windowOf,
} from '#platform/http/pagination.ts';
import { notFound } from '#platform/problem.ts';
import { findReferral } from '../reading-store.ts';
import { renderReferral } from '../render.ts';
import type { Rewards } from '../rewards.ts';
import { Referral } from '../schemas.ts';

export const getWalletReferral = ({ db, clock, referral, publicUrl }: Rewards) =>
  endpoint('GET /wallet/referral', {
    access: { scope: 'wallet', customer: true },
    id: 'getReferral',
    summary: 'Show the referral code and what came of it',
    description:
      'The hundred newest invitations, and with `page` those before; `summary` counts all. The customer and the invited are ' +
      'credited with cashback when the invited has paid enough off installments by PIX within 90 days.',
    query: Type.Object({ ...pageParameters(100), ...upToParameter('invitations') }),
    answers: { 200: { description: 'The referral program.', schema: Referral, headers: LINK_HEADER } },
    problems: [notFound],
    async handler(request, reply) {
      const { page, limit, up_to: upTo = Number.MAX_SAFE_INTEGER } = request.query;
      const window = { ...windowOf({ page, limit }), upTo };
      const row = await findReferral(db.shared, request.caller.customerId, window);
      if (!row)
        throw notFound({
          en: 'The customer of the token in x-token is gone.',
          pt: 'O cliente do token em x-token não existe mais.',
        });
      const total = Math.min(upTo, row.invited);
      reply.header(
        'link',
        linkHeader(`${publicUrl()}/wallet/referral`, { page, limit, up_to: total }, total),
      );
      return renderReferral(row, referral, clock.now());
    },
  });
