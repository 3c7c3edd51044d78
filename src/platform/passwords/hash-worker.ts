// A thread that only checks and hashes passwords, at low priority.
import { answerTasks } from '../threads.ts';
import { hashPassword, isOutdated, isRightPassword } from './argon2.ts';
import type { Weakness } from './problems.ts';
import { findWeakness, type Owner } from './strength.ts';

export type HashTask = { password: string; owner: Owner } | { password: string; against: string };
export type HashResult =
  | { hash: string }
  | { weakness: Weakness }
  | { right: boolean; renewed: string | null };

answerTasks<HashTask, HashResult>(
  async (task) => {
    const { password } = task;
    if ('owner' in task) {
      const weakness = await findWeakness(password, task.owner);
      return weakness === undefined ? { hash: hashPassword(password) } : { weakness };
    }
    const { against } = task;
    const right = isRightPassword(password, against);
    return { right, renewed: right && isOutdated(against) ? hashPassword(password) : null };
  },
  { isBackground: true },
);
