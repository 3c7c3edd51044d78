import { endpoint } from '#platform/http/endpoint.ts';
import { ListOf } from '#platform/http/schemas.ts';
import { type Members, renderMember } from '../members.ts';
import { Member } from '../schemas.ts';
import { listMembers } from '../store.ts';

const ALL = { offset: 0, limit: 1_000 };

export const getMerchantMembers = ({ db }: Members) =>
  endpoint('GET /merchant/members', {
    access: { scope: 'till', member: 'owner' },
    id: 'listMembers',
    summary: 'List the members of your merchant',
    answers: { 200: { description: 'The members, the oldest first.', schema: ListOf(Member) } },
    async handler({ caller }) {
      const wanted = { merchantId: caller.merchantId, removed: false };
      const { rows } = await listMembers(db, wanted, ALL);
      return { data: rows.map((row) => renderMember(db.vault, row)) };
    },
  });
