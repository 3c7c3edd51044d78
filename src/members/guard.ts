import type { FastifyRequest } from 'fastify';
import { cents } from '#core/money.ts';
import { type signInService, tokenInvalid } from '#customers';
import { roleMissing } from '#partners';
import type { Db } from '#platform/database/db.ts';
import { type Access, MEMBER_ROLES, type MemberRole } from '#platform/http/access.ts';
import type { Service } from '#platform/service.ts';
import { findMember, personOf } from './store.ts';

type TokenGuard =
  typeof signInService extends Service<infer S extends { guard: unknown }> ? S['guard'] : never;

/**
 * A key with the scope `till` acts for the merchant of the member whose token comes with it. The member is read each time: what an
 * owner changes counts at once, on every node. A merchant's own key needs no member.
 */
export function memberGuard(db: Db, checkToken: TokenGuard) {
  async function admit(request: FastifyRequest, least: MemberRole): Promise<void> {
    await checkToken(request, 'member');
    const { caller } = request;
    const row = await findMember(db, caller.memberId);
    if (!row || row.removed_at) throw tokenInvalid('member_removed');
    const { id, merchant_id: merchantId, role, max_amount_cents: most, may_return: mayReturn } = row;
    caller.merchantId = merchantId;
    caller.member = {
      id,
      name: personOf(db.vault, row).name,
      role,
      maxAmount: most === null ? null : cents(most),
      mayReturn,
    };
    if (MEMBER_ROLES.indexOf(role) < MEMBER_ROLES.indexOf(least)) throw roleMissing(least, role);
  }

  return (request: FastifyRequest, _reply: unknown, access: Access): Promise<void> | undefined => {
    const least = access === 'open' ? undefined : access.member;
    if (least === undefined || !request.caller.scopes.includes('till')) return undefined;
    return admit(request, least);
  };
}
