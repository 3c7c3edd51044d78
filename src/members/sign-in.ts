import type { Static } from 'typebox';
import {
  checkCode,
  hashPhone,
  invalidCredentials,
  markUsed,
  type OpenSession,
  openSession,
  renderTokens,
  tokenInvalid,
} from '#customers';
import type { Caller } from '#platform/http/endpoint.ts';
import { type Members, renderMember } from './members.ts';
import type { MemberCodeLogin, MemberLogin, MerchantMe } from './schemas.ts';
import { memberHolders } from './sessions.ts';
import { findMember, listMemberships, lockActiveMember, type MemberRow } from './store.ts';

/**
 * Signs in with a code sent to the phone. A phone without a membership, a merchant of others and a wrong code get the same answer after
 * the same statements, so that nobody finds out who is a member.
 */
export async function logInMember(
  members: Members,
  given: Static<typeof MemberCodeLogin>,
  { partnerId, address }: Pick<Caller, 'partnerId' | 'address'>,
): Promise<Static<typeof MemberLogin>> {
  const { db, clock, signIn } = members;
  const right = await checkCode(signIn, given, address);
  const own = await listOwn(members, hashPhone(db.vault, given.phone));
  const chosen =
    given.merchant === undefined ? own[0] : own.find(({ merchant }) => merchant.slug === given.merchant);
  const session =
    right &&
    chosen &&
    (await db.transaction(async (tx) => {
      // The lock order is that of customers: the member before the code.
      const member = await lockActiveMember(tx, chosen.row.id);
      if (!(await markUsed(tx, right, clock.now())) || !member) return undefined;
      return openSession(tx, signIn, { holderId: member.id, partnerId, address });
    }));
  signIn.metrics.logins.inc({ method: 'code', outcome: session ? 'granted' : 'refused' });
  if (!session) throw invalidCredentials();
  return answerMemberLogin(members, session);
}

/** Switches to another merchant of the same person: a new session replaces the current one. Undefined if they are no member there. */
export async function switchMerchant(
  members: Members,
  slug: string,
  { memberId, sessionId, partnerId, address }: Caller,
): Promise<Static<typeof MemberLogin> | undefined> {
  const { db, clock, signIn } = members;
  const row = (await findMember(db, memberId))!;
  const wanted = (await listOwn(members, row.phone_hash)).find(({ merchant }) => merchant.slug === slug);
  if (!wanted) return undefined;
  const session = await db.transaction(async (tx) => {
    const member = await lockActiveMember(tx, wanted.row.id);
    if (!member) return undefined;
    const current = await memberHolders.lockSession(tx, memberId, sessionId);
    if (!current || current.ended_at) throw tokenInvalid('session_ended');
    await memberHolders.markEnded(tx, memberId, sessionId, 'switched', clock.now());
    return openSession(tx, signIn, { holderId: member.id, partnerId, address });
  });
  if (!session) return undefined;
  signIn.ended.note(sessionId);
  return answerMemberLogin(members, session);
}

/** The answer of every kind of login. */
export async function answerMemberLogin(
  members: Members,
  session: OpenSession,
): Promise<Static<typeof MemberLogin>> {
  const tokens = await renderTokens(members.signIn, session);
  const row = await findMember(members.db, session.holderId);
  if (!row) throw tokenInvalid('member_removed');
  return { ...tokens, ...(await describeMember(members, row)) };
}

/** Who it is, for which merchant they act, and for which others they may. */
export async function describeMember(
  members: Members,
  row: MemberRow,
): Promise<Static<typeof MerchantMe> & { member: object }> {
  const own = await listOwn(members, row.phone_hash);
  return {
    member: renderMember(members.db.vault, row),
    merchant: await describeMerchant(members, row.merchant_id),
    merchants: own.map(({ merchant, row: { role } }) => ({ ...merchant, role })),
  };
}

export async function describeMerchant({ merchants }: Members, id: number) {
  await merchants.whenCurrent();
  const { slug, name } = merchants.identify(id) ?? { slug: '', name: '' };
  return { slug, name };
}

/** Merchants that were removed from the catalog are left out. */
async function listOwn({ db, merchants }: Members, phoneHash: Buffer) {
  const rows = await listMemberships(db, phoneHash);
  await merchants.whenCurrent();
  return rows.flatMap((row) => {
    const known = merchants.identify(row.merchant_id);
    return known ? [{ row, merchant: { slug: known.slug, name: known.name } }] : [];
  });
}
