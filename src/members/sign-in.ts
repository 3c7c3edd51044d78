import type { Static } from 'typebox';
import {
  checkCode,
  codeWrong,
  consumeCode,
  endSession,
  hashPhone,
  type IssuedSession,
  invalidCredentials,
  openSession,
  renderTokens,
  type SignInDeps,
  tokenInvalid,
  type VerifiedCode,
} from '#customers';
import type { Tx } from '#platform/database/db.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { defineService } from '#platform/service.ts';
import { type MembersDeps, renderMember } from './members.ts';
import type { MemberCodeLogin, MemberLogin } from './schemas.ts';
import { memberPrincipal } from './sessions.ts';
import { findMember, findMemberPhone, listMemberships, lockActiveMember, type MemberRow } from './store.ts';

/**
 * Logs in with a code sent to the phone. A phone without a membership, a merchant without the person as a member and a wrong code get
 * the same response after the same statements, so that callers cannot find out who is a member.
 */
export async function logInMember(
  deps: MembersDeps,
  form: Static<typeof MemberCodeLogin>,
  { partnerId, ipAddress }: Pick<Caller, 'partnerId' | 'ipAddress'>,
) {
  const { db, clock, signIn } = deps;
  const verifiedCode = await checkCode(signIn, form, ipAddress);
  const memberships = await listOwnMemberships(deps, hashPhone(db.vault, form.phone));
  const [oldestMembership] = memberships;
  const chosenMembership =
    form.merchant === undefined
      ? oldestMembership
      : memberships.find(({ merchant }) => merchant.slug === form.merchant);
  const session =
    verifiedCode &&
    chosenMembership &&
    (await consumeCodeAndOpenSession(verifiedCode, chosenMembership.row.id));
  signIn.metrics.logins.inc({ method: 'code', outcome: session ? 'granted' : 'refused' });
  if (!session) throw invalidCredentials();
  return buildMemberLoginResponse(deps, session);

  function consumeCodeAndOpenSession(
    code: VerifiedCode,
    memberId: string,
  ): Promise<IssuedSession | undefined> {
    return db.transaction(async (tx) => {
      // Lock order: member before code, as with customers.
      const member = await lockActiveMember(tx, memberId);
      if (!(await consumeCode(tx, code, clock.now())) || !member) return undefined;
      return openSession(tx, signIn, member.id, { partnerId, ipAddress });
    });
  }
}

/** Replaces the session by one for another merchant of the same person. Returns undefined if the person is not a member there. */
export async function switchMerchant(
  deps: MembersDeps,
  slug: string,
  { memberId, sessionId, partnerId, ipAddress }: Caller,
): Promise<Static<typeof MemberLogin> | undefined> {
  const { db, clock, signIn } = deps;
  const { phone_hash } = (await findMember(db, memberId))!;
  const membership = (await listOwnMemberships(deps, phone_hash)).find(
    ({ merchant }) => merchant.slug === slug,
  );
  if (!membership) return undefined;
  const session = await db.transaction(async (tx) => {
    const member = await lockActiveMember(tx, membership.row.id);
    if (!member) return undefined;
    const currentSession = await memberPrincipal.sessions.lock(tx, memberId, sessionId);
    if (!currentSession || currentSession.ended_at) throw tokenInvalid('session_ended');
    await endSession(tx, signIn, { principalId: memberId, sessionId }, 'switched', clock.now());
    return openSession(tx, signIn, member.id, { partnerId, ipAddress });
  });
  return session && buildMemberLoginResponse(deps, session);
}

export async function buildMemberLoginResponse(deps: MembersDeps, session: IssuedSession) {
  const tokens = await renderTokens(deps.signIn, session);
  const row = await findMember(deps.db, session.principalId);
  if (!row) throw tokenInvalid('member_removed');
  return { ...tokens, ...(await renderMemberships(deps, row)) };
}

export async function renderMemberships(deps: MembersDeps, row: MemberRow) {
  const memberships = await listOwnMemberships(deps, row.phone_hash);
  return {
    member: renderMember(deps.db.vault, row),
    merchant: await renderMerchant(deps, row.merchant_id),
    merchants: memberships.map(({ merchant, row: { role } }) => ({ ...merchant, role })),
  };
}

export async function renderMerchant({ merchants }: MembersDeps, id: number) {
  await merchants.waitUntilCurrent();
  // A merchant that was removed from the catalog has no name.
  const { slug, name } = merchants.identify(id) ?? { slug: '', name: '' };
  return { slug, name };
}

/** Lists the memberships of a phone. Merchants that were removed from the catalog are left out. */
async function listOwnMemberships({ db, merchants }: MembersDeps, phoneHash: Buffer) {
  const rows = await listMemberships(db, phoneHash);
  await merchants.waitUntilCurrent();
  return rows.flatMap((row) => {
    const merchant = merchants.identify(row.merchant_id);
    return merchant ? [{ row, merchant: { slug: merchant.slug, name: merchant.name } }] : [];
  });
}

/**
 * Checks the code, sent to a member's phone, that confirms a sensitive change. Throws if the code is wrong. The returned function must
 * be called in the transaction of the change, and consumes the code.
 */
export type CheckMemberCode = (
  caller: Pick<Caller, 'memberId' | 'ipAddress'>,
  proof: { challenge_id: string; code: string },
) => Promise<(tx: Tx, now: Date) => Promise<void>>;

export const memberCodeChecker = defineService<CheckMemberCode>('member codes');

export const createMemberCodeChecker =
  (signIn: SignInDeps): CheckMemberCode =>
  async ({ memberId, ipAddress }, { challenge_id, code }) => {
    // No code is ever sent to the empty phone of an erased member.
    const phone = (await findMemberPhone(signIn.db, memberId)) ?? '';
    const verifiedCode = await checkCode(signIn, { phone, challenge_id, code }, ipAddress);
    if (!verifiedCode) throw codeWrong();
    return async (tx, now) => {
      if (!(await consumeCode(tx, verifiedCode, now))) throw codeWrong();
    };
  };
