// The program of a low-priority thread that verifies and hashes passwords.
import { handleTasks } from '../thread-pool.ts';
import { hashPassword, hasOutdatedCost, verifyPassword } from './argon2.ts';
import type { Weakness } from './problems.ts';
import { findWeakness, type PasswordOwner } from './strength.ts';

export type HashTask = { password: string; owner: PasswordOwner } | { password: string; encodedHash: string };
/** `newHash` has the current cost. It is computed if the password is correct and its hash has an outdated cost. */
export type Verification = { isCorrect: boolean; newHash: string | null };
export type HashResult = { hash: string } | { weakness: Weakness } | Verification;

handleTasks<HashTask, HashResult>(
  async (task) => {
    const { password } = task;
    if ('owner' in task) {
      const weakness = await findWeakness(password, task.owner);
      return weakness === undefined ? { hash: hashPassword(password) } : { weakness };
    }
    const { encodedHash } = task;
    const isCorrect = verifyPassword(password, encodedHash);
    return { isCorrect, newHash: isCorrect && hasOutdatedCost(encodedHash) ? hashPassword(password) : null };
  },
  { hasLowPriority: true },
);
