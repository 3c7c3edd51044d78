import { checkCode, codeWrong, markUsed, type SignIn } from '#customers';
import type { Tx } from '#platform/database/db.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { service } from '#platform/service.ts';
import { findMemberPhone } from './store.ts';

/**
 * For what a member may do only with a code that was just sent to their own phone. Throws where it is not right; what it returns
 * uses the code up, in the transaction it is for.
 */
export type CheckMemberCode = (
  caller: Pick<Caller, 'memberId' | 'address'>,
  given: { challenge_id: string; code: string },
) => Promise<(tx: Tx, now: Date) => Promise<void>>;

export const memberCodes = service<CheckMemberCode>('member codes');

export const checkMemberCode =
  (signIn: SignIn): CheckMemberCode =>
  async ({ memberId, address }, { challenge_id, code }) => {
    const phone = (await findMemberPhone(signIn.db, memberId)) ?? '';
    const right = await checkCode(signIn, { phone, challenge_id, code }, address);
    if (!right) throw codeWrong();
    return async (tx, now) => {
      if (!(await markUsed(tx, right, now))) throw codeWrong();
    };
  };
