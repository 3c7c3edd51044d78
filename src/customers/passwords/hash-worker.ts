// A thread that does nothing but hash passwords, and goes behind every other thread.
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashPassword, isOutdated, isRightPassword } from './argon2.ts';

/** A third of the weight of an ordinary thread: enough to get on with it when every core is busy. */
const NICE = 5;
// On Linux this is about the calling thread alone; elsewhere it would slow down the whole process.
if (process.platform === 'linux') setPriority(0, NICE);

export type HashTask = { password: string; against?: string };
export type HashResult = { hash: string } | { right: boolean; renewed: string | null } | { failed: string };

parentPort!.on('message', (task: HashTask) => parentPort!.postMessage(answer(task)));

function answer({ password, against }: HashTask): HashResult {
  try {
    if (against === undefined) return { hash: hashPassword(password) };
    const right = isRightPassword(password, against);
    return { right, renewed: right && isOutdated(against) ? hashPassword(password) : null };
  } catch (error) {
    return { failed: (error as Error).message };
  }
}
