// A thread that only checks and hashes passwords, at low priority.
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashPassword, isOutdated, isRightPassword } from './argon2.ts';
import type { Weakness } from './problems.ts';
import { findWeakness, type Owner } from './strength.ts';

/** A third of the weight of an ordinary thread: it still progresses when every core is busy. */
const NICE = 5;
// On Linux this affects the calling thread only; elsewhere it would slow down the whole process.
if (process.platform === 'linux') setPriority(0, NICE);

export type HashTask = { password: string; owner: Owner } | { password: string; against: string };
export type HashResult =
  | { hash: string }
  | { weakness: Weakness }
  | { right: boolean; renewed: string | null }
  | { failed: string };

parentPort!.on('message', (task: HashTask) => {
  void answer(task).then((result) => parentPort!.postMessage(result));
});

async function answer(task: HashTask): Promise<HashResult> {
  const { password } = task;
  try {
    if ('owner' in task) {
      const weakness = await findWeakness(password, task.owner);
      return weakness === undefined ? { hash: hashPassword(password) } : { weakness };
    }
    const { against } = task;
    const right = isRightPassword(password, against);
    return { right, renewed: right && isOutdated(against) ? hashPassword(password) : null };
  } catch (error) {
    return { failed: (error as Error).message };
  }
}
