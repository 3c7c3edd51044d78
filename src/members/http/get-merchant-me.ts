import { endpoint } from '#platform/http/endpoint.ts';
import type { Members } from '../members.ts';
import { MerchantMe } from '../schemas.ts';
import { describeMember, describeMerchant } from '../sign-in.ts';
import { findMember } from '../store.ts';

export const getMerchantMe = (members: Members) =>
  endpoint('GET /merchant/me', {
    access: { scope: 'merchant', member: 'clerk' },
    id: 'getMerchantMe',
    summary: 'Who you are, and for which merchant',
    answers: { 200: { description: 'The member and the merchant.', schema: MerchantMe } },
    async handler({ caller }) {
      const row = caller.memberId === '' ? undefined : await findMember(members.db, caller.memberId);
      if (row) return describeMember(members, row);
      return { member: null, merchant: await describeMerchant(members, caller.merchantId), merchants: [] };
    },
  });
