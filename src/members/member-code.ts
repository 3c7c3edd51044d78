import { checkCode, codeWrong, consumeCode, type SignIn } from '#customers';
import type { Tx } from '#platform/database/db.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { defineService } from '#platform/service.ts';
import { findMemberPhone } from './store.ts';

/**
 * Checks the code, sent to a member's phone, that confirms a sensitive change. Throws if the code is wrong. Call the returned function
 * in the transaction of the change: it consumes the code.
 */
export type CheckMemberCode = (
  caller: Pick<Caller, 'memberId' | 'ipAddress'>,
  proof: { challenge_id: string; code: string },
) => Promise<(tx: Tx, now: Date) => Promise<void>>;

export const memberCodeChecker = defineService<CheckMemberCode>('member codes');

export const createMemberCodeChecker =
  (signIn: SignIn): CheckMemberCode =>
  async ({ memberId, ipAddress }, { challenge_id, code }) => {
    const phone = (await findMemberPhone(signIn.db, memberId)) ?? '';
    const verifiedCode = await checkCode(signIn, { phone, challenge_id, code }, ipAddress);
    if (!verifiedCode) throw codeWrong();
    return async (tx, now) => {
      if (!(await consumeCode(tx, verifiedCode, now))) throw codeWrong();
    };
  };
