import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDemoDatabase, type Program, startProgram, waitForOutput } from '../../../test/processes.ts';
import { query } from '../../../test/query.ts';
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
const MAX_ATTEMPTS = 5;

const databaseUrl = await createDemoDatabase();

/** The program of a separate process that starts a job and never finishes the job. */
const WORKER_CODE = `
  import { startJobs } from '#platform/jobs/jobs.ts';
  import { createLog } from '#platform/observability/log.ts';
  const { DATABASE_URL: databaseUrl, TASK } = process.env;
  const start = () => {
    process.stdout.write('started');
    return new Promise((resolve) => setTimeout(resolve, 600_000));
  };
  await startJobs({ databaseUrl, log: createLog('silent'), tasks: { [TASK]: start } });`;

type Job = { locked_by: string | null; attempts: number };
async function findJob(task: string): Promise<Job | undefined> {
  const [job] = await query<Job>(
    databaseUrl,
    `select locked_by, attempts from graphile_worker.jobs where task_identifier = '${task}'`,
  );
  return job;
}

/** Enqueues a job, and starts a process that runs it. */
async function startWorkerWithJob(task: TaskName): Promise<Program> {
  const db = openDb({ url: databaseUrl, poolSize: 1, applicationName: 'test' });
  await db.transaction((tx) => enqueue(tx, task, {}, MAX_ATTEMPTS));
  await db.close();
  const command = [process.execPath, '--input-type=module', '-e', WORKER_CODE];
  const worker = startProgram(command, { DATABASE_URL: databaseUrl, TASK: task });
  await waitForOutput(worker, /started/);
  return worker;
}

test('another node runs the jobs of a killed node within seconds; a frozen or disconnected node keeps its jobs', async () => {
  const [killedProgram, frozenProgram] = await Promise.all(TASKS.map(startWorkerWithJob));
  const jobsBefore = { frozen: await findJob('frozen'), cut: await findJob('cut') };
  assert.ok(jobsBefore.frozen?.locked_by && jobsBefore.cut?.locked_by);

  const attemptsByTask = new Map<string, number>();
  const recordAttempt = (task: string) => async (_payload: unknown, attempt: { number: number }) =>
    void attemptsByTask.set(task, attempt.number);
  const log = createLog('silent');
  const tasks = Object.fromEntries(TASKS.map((task) => [task, recordAttempt(task)]));
  const survivingNode = await startJobs({ databaseUrl, log, tasks });
  after(() => survivingNode.stop());
  await sleep(500); // enough for the new node to fetch a job that is not locked
  assert.deepEqual([...attemptsByTask], [], 'no node is dead yet');

  killedProgram!.child.kill('SIGKILL');
  await killedProgram!.outcome;
  frozenProgram!.child.kill('SIGSTOP');
  // `objid` is the low half of the lock's number.
  const cutConnections = await query(
    databaseUrl,
    `select pg_terminate_backend(pid) from pg_locks
     where locktype = 'advisory' and granted
       and objid = (hashtextextended('${jobsBefore.cut.locked_by}', 0) & 4294967295)::oid`,
  );
  assert.equal(cutConnections.length, 1, 'the connection that holds the lock of the node is cut');

  while (attemptsByTask.size === 0) await sleep(100);
  assert.deepEqual([...attemptsByTask], [['killed', 2]], 'as the second attempt');
  // A node is considered dead after ten seconds. They have passed for the killed node, so six more are enough for the others.
  await sleep(6_000);
  assert.deepEqual([...attemptsByTask.keys()], ['killed']);
  assert.deepEqual({ frozen: await findJob('frozen'), cut: await findJob('cut') }, jobsBefore);
  assert.equal(await findJob('killed'), undefined);
});
