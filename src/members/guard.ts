import type { FastifyRequest } from 'fastify';
import { cents } from '#core/values/money.ts';
import { type signInService, tokenInvalid } from '#customers';
import { roleMissing } from '#partners';
import type { Db } from '#platform/database/db.ts';
import { type Access, MEMBER_ROLES, type MemberRole } from '#platform/http/access.ts';
import type { Service } from '#platform/service.ts';
import { decryptPerson, findMember } from './store.ts';

type TokenGuard =
  typeof signInService extends Service<infer S extends { guard: unknown }> ? S['guard'] : never;

/**
 * A key with the scope `till` acts for the merchant of the member whose token is sent with it. The guard reads the member for every
 * request, so that changes by an owner take effect immediately on every node. A key with the scope `merchant` needs no member.
 */
export function createMemberGuard(db: Db, checkToken: TokenGuard) {
  async function admit(request: FastifyRequest, minRole: MemberRole): Promise<void> {
    await checkToken(request, 'member');
    const { caller } = request;
    const row = await findMember(db, caller.memberId);
    if (!row || row.removed_at) throw tokenInvalid('member_removed');
    const {
      id,
      merchant_id: merchantId,
      role,
      max_amount_cents: maxAmountCents,
      may_return: mayReturn,
    } = row;
    caller.merchantId = merchantId;
    caller.member = {
      id,
      name: decryptPerson(db.vault, row).name,
      role,
      maxAmount: maxAmountCents === null ? null : cents(maxAmountCents),
      mayReturn,
    };
    if (MEMBER_ROLES.indexOf(role) < MEMBER_ROLES.indexOf(minRole)) throw roleMissing([minRole], role);
  }

  return (request: FastifyRequest, _reply: unknown, access: Access): Promise<void> | undefined => {
    const minRole = access === 'open' ? undefined : access.memberRole;
    if (minRole === undefined || !request.caller.scopes.includes('till')) return undefined;
    return admit(request, minRole);
  };
}
