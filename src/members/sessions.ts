import type { FastifyRequest } from 'fastify';
import { cents } from '#core/values/money.ts';
import { createSessionStore, hashPhone, type PrincipalKind, type TokenGuard, tokenInvalid } from '#customers';
import { roleMissing } from '#partners';
import { type Db, sql, type Tx } from '#platform/database/db.ts';
import { type Access, MEMBER_ROLES, type MemberRole } from '#platform/http/access.ts';
import { decryptPerson, findMember } from './store.ts';

/** Members sign in with the functions of `#customers`; their sessions are stored in a separate table. */
export const memberPrincipal: PrincipalKind = {
  type: 'member',
  idPrefix: 'mbr_',
  transaction: (db, _memberId, work) => db.transaction(work),
  sessions: createSessionStore(sql`member_sessions`, sql`member_id`),
  origins: {
    // An address stays known as long as its session is stored: until thirty days after its end. Without `having`, a phone without members would get a row too.
    async recognize(db, phone, { address }) {
      const row = await db.row<{ is_known: boolean | null }>(sql`
        select bool_or(session.address = ${address}) as is_known
        from members member left join member_sessions session on session.member_id = member.id
        where member.phone_hash = ${hashPhone(db.vault, phone)} and member.removed_at is null having count(*) > 0`);
      return { isRegistered: row !== undefined, isKnown: row?.is_known ?? false };
    },
    record: (tx, { principalId, sessionId }, { address }) =>
      tx.run(sql`
        update member_sessions set address = ${address}
        where member_id = ${principalId} and id = ${sessionId} and address is distinct from ${address}`),
  },
};

/** Makes the address of the session unknown. */
export const deleteSessionAddress = (tx: Tx, memberId: string, id: string) =>
  tx.run(sql`update member_sessions set address = null where member_id = ${memberId} and id = ${id}`);

/**
 * A key with the scope `till` acts for the merchant of the member whose token is sent with it. The guard reads the member for every
 * request, so that changes by an owner take effect immediately on every node. A key with the scope `merchant` needs no member.
 */
export function createMemberGuard(db: Db, checkToken: TokenGuard) {
  async function authenticateMember(request: FastifyRequest, minRole: MemberRole): Promise<void> {
    await checkToken(request, 'member');
    const { caller } = request;
    const row = await findMember(db, caller.memberId);
    if (!row || row.removed_at) throw tokenInvalid('member_removed');
    const { id, role } = row;
    caller.merchantId = row.merchant_id;
    caller.member = {
      id,
      name: decryptPerson(db.vault, row).name,
      role,
      maxAmount: row.max_amount_cents === null ? null : cents(row.max_amount_cents),
      mayReturn: row.may_return,
    };
    if (MEMBER_ROLES.indexOf(role) < MEMBER_ROLES.indexOf(minRole)) throw roleMissing([minRole], role);
  }

  return (request: FastifyRequest, _reply: unknown, access: Access): Promise<void> | undefined => {
    const minRole = access === 'open' ? undefined : access.memberRole;
    if (minRole === undefined || !request.caller.scopes.includes('till')) return undefined;
    return authenticateMember(request, minRole);
  };
}
