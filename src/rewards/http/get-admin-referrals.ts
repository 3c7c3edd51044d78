import { Type } from 'typebox';
import { findCustomerId } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, dayParameters, listAnswer, listParameters } from '#platform/http/listing.ts';
import { Text } from '#platform/http/schemas.ts';
import { renderStaffReferral } from '../render-staff.ts';
import type { Rewards } from '../rewards.ts';
import { StaffReferral } from '../schemas.ts';
import { listedReferrals, REFERRAL_STATUSES } from '../staff-store.ts';

export const getAdminReferrals = ({ db, clock }: Rewards) =>
  endpoint('GET /admin/referrals', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listReferrals',
    summary: 'List who invited whom',
    query: Type.Object({
      ...listParameters(),
      status: Type.Optional(Type.Enum([...REFERRAL_STATUSES])),
      referrer: Type.Optional(Text(80, { description: 'Id or phone of the customer who invited.' })),
      ...dayParameters('Invited'),
    }),
    answers: listAnswer('A page of invitations.', StaffReferral),
    async handler(request, reply) {
      const { referrer, ...filter } = request.query;
      const customerId = referrer && ((await findCustomerId(db, referrer)) ?? '');
      return answerList(db, { request, reply }, listedReferrals({ ...filter, customerId }, clock.now()), {
        item: StaffReferral,
        render: (rows) => rows.map(renderStaffReferral),
      });
    },
  });
