import { checkCode, codeWrong, markUsed, type SignIn } from '#customers';
import type { Tx } from '#platform/database/db.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { service } from '#platform/service.ts';
import { findMemberPhone } from './store.ts';

/**
 * Checks the code that a member has to give for a sensitive change, sent to their own phone. Throws if it is wrong. The returned function
 * uses the code up in the transaction of the change.
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
