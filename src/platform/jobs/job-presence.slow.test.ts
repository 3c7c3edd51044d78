import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  copyDemoDatabase,
  type Program,
  query,
  startProgram,
  waitForOutput,
} from '../../../test/processes.ts';
import { openDb } from '../database/db.ts';
import { createLog } from '../observability/log.ts';
import { enqueue, startJobs } from './jobs.ts';

declare module './jobs.ts' {
  interface JobPayloads {
    killed: NoPayload;
    frozen: NoPayload;
    cut: NoPayload;
  }
}

const TASKS = ['killed', 'frozen', 'cut'] as const;
type TaskName = (typeof TASKS)[number];

// Separate processes that start a job and never finish it.
const databaseUrl = await copyDemoDatabase();

const WORKER = `
  import { startJobs } from '#platform/jobs/jobs.ts';
  import { createLog } from '#platform/observability/log.ts';
  const { DATABASE_URL: databaseUrl, TASK } = process.env;
  const begin = () => {
    process.stdout.write('begun');
    return new Promise((resolve) => setTimeout(resolve, 600_000));
  };
  await startJobs({ databaseUrl, log: createLog('silent'), tasks: { [TASK]: begin } });`;

type Job = { locked_by: string | null; attempts: number };
const jobOf = async (task: string): Promise<Job | undefined> =>
  (
    await query<Job>(
      databaseUrl,
      `select locked_by, attempts from graphile_worker.jobs where task_identifier = '${task}'`,
    )
  )[0];

async function beginJob(task: TaskName): Promise<Program> {
  const db = openDb({ url: databaseUrl, poolSize: 1, applicationName: 'test' });
  await db.transaction((tx) => enqueue(tx, task, {}, 5));
  await db.close();
  const words = [process.execPath, '--input-type=module', '-e', WORKER];
  const worker = startProgram(words, { DATABASE_URL: databaseUrl, TASK: task });
  await waitForOutput(worker, /begun/);
  return worker;
}

test('jobs of a killed node are run by another within seconds; a live node keeps its jobs, even if frozen or disconnected', async () => {
  const [killed, frozen] = await Promise.all(TASKS.map(beginJob));
  const before = { frozen: await jobOf('frozen'), cut: await jobOf('cut') };
  assert.ok(before.frozen?.locked_by && before.cut?.locked_by);

  const done = new Map<string, number>();
  const doIt = (task: string) => async (_payload: unknown, attempt: { number: number }) =>
    void done.set(task, attempt.number);
  const log = createLog('silent');
  const tasks = Object.fromEntries(TASKS.map((task) => [task, doIt(task)]));
  const survivor = await startJobs({ databaseUrl, log, tasks });
  after(() => survivor.stop());
  await sleep(500);
  assert.deepEqual([...done], [], 'nobody is dead yet');

  killed!.child.kill('SIGKILL');
  await killed!.outcome;
  frozen!.child.kill('SIGSTOP');
  const connections = await query(
    databaseUrl,
    `select pg_terminate_backend(l.pid) from pg_locks l
     where l.locktype = 'advisory' and l.granted
       and l.objid = (hashtextextended('${before.cut.locked_by}', 0) & 4294967295)::oid`,
  );
  assert.equal(connections.length, 1, 'the connection that vouches for the node is cut');

  while (done.size === 0) await sleep(100);
  assert.deepEqual([...done], [['killed', 2]], 'as the second attempt');
  // Waits as long again: by then a missing node would have been declared dead.
  await sleep(6_000);
  assert.deepEqual([...done.keys()], ['killed']);
  assert.deepEqual({ frozen: await jobOf('frozen'), cut: await jobOf('cut') }, before);
  assert.equal(await jobOf('killed'), undefined);
});
