import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import {
  buildLinkHeader,
  LINK_HEADER,
  pageParameters,
  toPageRange,
  upToParameter,
} from '#platform/http/pagination.ts';
import { notFound } from '#platform/problem.ts';
import { findReferral } from '../reading-store.ts';
import { renderReferral } from '../render.ts';
import { Referral } from '../schemas.ts';
import type { RewardsDeps } from '../settings.ts';

/** The default of `up_to`. */
const ALL_INVITATIONS = Number.MAX_SAFE_INTEGER;

export const getWalletReferral = ({ db, clock, referralSettings, publicUrl }: RewardsDeps) =>
  endpoint('GET /wallet/referral', {
    access: { scope: 'wallet', customer: true },
    id: 'getReferral',
    summary: 'Get the referral code and its invitations',
    description:
      'Returns the newest invitations, 100 per page by default. `summary` counts all invitations. The referrer and the invited ' +
      'customer are both credited with cashback when the invited customer has paid enough of their installments by PIX within 90 days.',
    query: Type.Object({ ...pageParameters(100), ...upToParameter('invitations') }),
    responses: { 200: { description: 'The referral program.', schema: Referral, headers: LINK_HEADER } },
    problems: [notFound],
    async handler(request, reply) {
      const { page, limit, up_to: upTo = ALL_INVITATIONS } = request.query;
      const pageRange = { ...toPageRange({ page, limit }), pagedCount: upTo };
      const row = await findReferral(db.shared, request.caller.customerId, pageRange);
      if (!row)
        throw notFound({
          en: 'The customer of the token in x-token no longer exists.',
          pt: 'O cliente do token em x-token não existe mais.',
        });
      // The links repeat this count, so that new invitations do not shift the next pages.
      const pagedCount = Math.min(upTo, row.invited_count);
      reply.header(
        'link',
        buildLinkHeader(`${publicUrl()}/wallet/referral`, { page, limit, up_to: pagedCount }, pagedCount),
      );
      return renderReferral(row, referralSettings, clock.now());
    },
  });
