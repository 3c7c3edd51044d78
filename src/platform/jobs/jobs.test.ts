import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { eventually, openService } from '../../../test/harness.ts';
import { DatabaseClient } from '../database/database-client.ts';
import { pluck, sql } from '../database/db.ts';
import { migrate } from '../database/migrate.ts';
import { ChangeFeed } from '../nodes/change-feed.ts';
import { createLog } from '../observability/log.ts';
import { JobPresence } from './job-presence.ts';
import {
  enqueue,
  enqueueAll,
  isDueOrRunning,
  type Job,
  purgeFailedJobs,
  startJobs,
  type Task,
} from './jobs.ts';

declare module './jobs.ts' {
  interface JobPayloads {
    note: { id: string };
    unhandled: { id: string };
    delayed: { id: string };
    ending: { id: string };
    record: { id: string };
    fail: { id: string };
    wait: NoPayload;
    hold: NoPayload;
    blocking: NoPayload;
    code: NoPayload;
    settle: NoPayload;
  }
}

const service = await openService({ demo: false });
const [ONE_ATTEMPT, TWO_ATTEMPTS, THREE_ATTEMPTS] = [1, 2, 3];
const logLines: string[] = [];
const log = createLog('debug', { write: (line: string) => void logLines.push(line) });

const completedNotes: Array<{ payload: unknown; attempt: number }> = [];
let waitGate = Promise.withResolvers<void>();
const jobs = await startJobs({
  databaseUrl: service.databaseUrl,
  log,
  tasks: {
    note: async (payload, { number }) => void completedNotes.push({ payload, attempt: number }),
    wait: () => waitGate.promise,
    fail: async () => {
      throw new TypeError('the phone +5511987650001 is wrong');
    },
  },
});

test('a migration creates our own index if it is missing', async () => {
  await service.db.run(sql`drop index graphile_worker.jobs_held`);
  await migrate(service.databaseUrl, 'sandbox');
  const row = await service.db.row<{ index_name: string | null }>(
    sql`select to_regclass('graphile_worker.jobs_held')::text as index_name`,
  );
  assert.equal(row!.index_name, 'graphile_worker.jobs_held');
});

test('the payload of a job is checked by the types of its task', () => {
  // @ts-expect-error: no such task
  const unknownJob: Job = { task: 'nobody_does_it', payload: {}, key: '' };
  // @ts-expect-error: the payload of another task
  const wrongJob: Job<'note'> = { task: 'note', payload: { subject: 'x' }, key: '' };
  // @ts-expect-error: a task that reads a field that its payload lacks
  const task: Task<'note'> = async ({ phone }) => void phone;
  assert.ok(unknownJob && wrongJob && task);
});

test('a job runs if and only if its transaction commits', async () => {
  await service.db
    .transaction(async (tx) => {
      await enqueue(tx, 'note', { id: 'rolled back' }, ONE_ATTEMPT);
      throw new Error('no');
    })
    .catch(() => undefined);
  await service.db.transaction((tx) => enqueue(tx, 'note', { id: 'committed' }, ONE_ATTEMPT));
  await eventually('the job has run', async () => completedNotes.length > 0);
  assert.deepEqual(completedNotes, [{ payload: { id: 'committed' }, attempt: 1 }]);
});

test('many jobs are enqueued together; of jobs with the same key the last one is used and replaces a waiting job', async () => {
  const createJob = (id: string): Job<'unhandled'> => ({
    task: 'unhandled',
    payload: { id },
    key: `unhandled ${id}`,
  });
  await service.db.transaction((tx) => enqueueAll(tx, [], THREE_ATTEMPTS));
  const manyJobs = Array.from({ length: 2_000 }, (_, i) => createJob(String(i)));
  await service.db.transaction((tx) => enqueueAll(tx, manyJobs, THREE_ATTEMPTS));
  const replacements = [createJob('7'), { ...createJob('7'), payload: { id: 'seven' } }, createJob('2000')];
  await service.db.transaction((tx) => enqueueAll(tx, replacements, TWO_ATTEMPTS));
  const rows = await service.db.rows<{ id: string; key: string; max_attempts: number; is_due: boolean }>(sql`
    select job.payload ->> 'id' as id, job.key, job.max_attempts, job.run_at <= now() as is_due
    from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
    where task.identifier = 'unhandled'`);
  assert.equal(rows.length, 2_001);
  assert.ok(rows.every(({ is_due }) => is_due));
  const findByKey = (key: string) => rows.find((row) => row.key === key);
  assert.deepEqual(
    [findByKey('unhandled 7')?.id, findByKey('unhandled 7')?.max_attempts],
    ['seven', TWO_ATTEMPTS],
  );
  assert.deepEqual(
    [findByKey('unhandled 8')?.id, findByKey('unhandled 8')?.max_attempts],
    ['8', THREE_ATTEMPTS],
  );
});

test('concurrent transactions that enqueue the same jobs in different orders do not deadlock', async () => {
  const jobs = Array.from(
    { length: 200 },
    (_, i): Job => ({
      task: 'unhandled',
      payload: { id: String(i) },
      key: `crowd ${i}`,
    }),
  );
  const enqueueJobs = (selectedJobs: typeof jobs) =>
    service.db.transaction((tx) => enqueueAll(tx, selectedJobs, ONE_ATTEMPT));
  await Promise.all([
    enqueueJobs(jobs),
    enqueueJobs(jobs.toReversed()),
    enqueueJobs(jobs),
    enqueueJobs(jobs.toReversed()),
  ]);
});

test('the jobs of a transaction are written once, right before its commit; of jobs with the same key the last is written', async () => {
  const createJob = (id: string, key: string): Job => ({ task: 'unhandled', payload: { id }, key });
  await service.db.transaction(async (tx) => {
    await enqueueAll(tx, [createJob('1', 'merged a'), createJob('2', 'merged b')], ONE_ATTEMPT);
    // This callback is registered after the first jobs, so it runs after they were written.
    tx.beforeCommit(() => void enqueueAll(tx, [createJob('4', 'merged c')], TWO_ATTEMPTS));
    await enqueueAll(tx, [createJob('3', 'merged a')], THREE_ATTEMPTS);
  });
  const rows = await service.db.rows(sql`
    select job.key, job.max_attempts, private_job.payload ->> 'id' as id from graphile_worker.jobs job
    join graphile_worker._private_jobs private_job on private_job.id = job.id where job.key like 'merged %' order by job.key`);
  assert.deepEqual(rows, [
    { key: 'merged a', max_attempts: 3, id: '3' },
    { key: 'merged b', max_attempts: 1, id: '2' },
    { key: 'merged c', max_attempts: 2, id: '4' },
  ]);
});

test('the change feed reports the tasks of new jobs after the commit; graphile-worker itself sends no notification', async () => {
  const changeFeed = new ChangeFeed(service.databaseUrl, log);
  const reportedTasks: string[] = [];
  changeFeed.listen({
    topic: 'jobs',
    onChange: (names) => void reportedTasks.push(...names.split(' ')),
    onMissedChanges: () => undefined,
  });
  await changeFeed.start();
  const client = new DatabaseClient({ connectionString: service.databaseUrl });
  const libraryNotifications: string[] = [];
  client.on('notification', ({ payload }) => void libraryNotifications.push(payload!));
  await client.connect();
  await client.query('listen "jobs:insert"');
  await service.db.transaction((tx) => enqueue(tx, 'delayed', { id: 'x' }, ONE_ATTEMPT, { delayMs: 60_000 }));
  await service.db.transaction(async (tx) => {
    await enqueueAll(tx, [{ task: 'note', payload: { id: 'reported' }, key: 'reported' }], ONE_ATTEMPT);
  });
  // Jobs of earlier tests may be reported here, too, because they are reported after their commit.
  await eventually('the new job is reported', async () => reportedTasks.includes('note'));
  assert.ok(!reportedTasks.includes('delayed'));
  await client.query('select 1'); // notifications are delivered before the response
  assert.deepEqual(libraryNotifications, []);
  await client.end();
  await changeFeed.stop();
});

test('replacing jobs and completing them at the same time does not deadlock', async () => {
  const endings = new Map(['a', 'b', 'c'].map((id) => [id, Promise.withResolvers<void>()]));
  const startedIds: string[] = [];
  const endingJobs = await startJobs({
    databaseUrl: service.databaseUrl,
    log,
    tasks: {
      ending: {
        queue: 'settlement',
        async run({ id }) {
          startedIds.push(id);
          await endings.get(id)!.promise;
        },
      },
    },
  });
  const createJob = (id: string): Job => ({ task: 'ending', payload: { id }, key: `ending ${id}` });
  await service.db.transaction((tx) => enqueueAll(tx, ['a', 'b', 'c'].map(createJob), ONE_ATTEMPT));
  await eventually('the three jobs run', async () => startedIds.length === 3);
  await service.db.transaction(async (tx) => {
    await enqueue(tx, 'ending', { id: 'b' }, ONE_ATTEMPT, { key: 'ending b' });
    await tx.run(sql`select 1`);
    for (const id of ['a', 'c', 'b']) endings.get(id)!.resolve();
    const lockWaits = sql`
      select 1 from pg_stat_activity
      where datname = current_database() and application_name = 'semana jobs' and wait_event_type = 'Lock'`;
    await eventually('the completion of a job waits for a lock', () => service.db.row(lockWaits));
    await enqueueAll(tx, [createJob('a'), createJob('c')], ONE_ATTEMPT);
  });
  await eventually('all jobs have run again', async () => startedIds.length === 6);
  await eventually('all jobs have ended', async () => !(await isDueOrRunning(service.db, 'ending')));
  await endingJobs.stop();
  assert.deepEqual(
    logLines.filter((line) => line.includes('deadlock') || line.includes('inconsistent')),
    [],
  );
});

test('a queue with stuck jobs does not delay other queues', async () => {
  const blockGate = Promise.withResolvers<void>();
  const endedTasks: string[] = [];
  const blockingJobs = await startJobs({
    databaseUrl: service.databaseUrl,
    log,
    tasks: {
      blocking: () => blockGate.promise,
      code: { queue: 'messages', run: async () => void endedTasks.push('code') },
      settle: { queue: 'settlement', run: async () => void endedTasks.push('settle') },
    },
  });
  const manyJobs = Array.from(
    { length: 50 },
    (_, i): Job => ({
      task: 'blocking',
      payload: {},
      key: `blocking ${i}`,
    }),
  );
  await service.db.transaction((tx) => enqueueAll(tx, manyJobs, ONE_ATTEMPT));
  await eventually('some blocking jobs run', () =>
    service.db.row(sql`
      select 1 from graphile_worker.jobs where task_identifier = 'blocking' and locked_at is not null`),
  );
  await service.db.transaction(async (tx) => {
    await enqueue(tx, 'code', {}, ONE_ATTEMPT);
    await enqueue(tx, 'settle', {}, ONE_ATTEMPT);
  });
  await eventually('the jobs of the other queues are completed', async () => endedTasks.length === 2);
  assert.equal(await isDueOrRunning(service.db, 'blocking'), true);
  blockGate.resolve();
  await eventually(
    'all blocking jobs are completed',
    async () => !(await isDueOrRunning(service.db, 'blocking')),
  );
  await blockingJobs.stop();
});

test('a recurring task is scheduled in its queue; an unknown task is refused', async () => {
  const match = '0 0 1 1 *';
  const tasks = {
    hold: async () => undefined,
    settle: { queue: 'settlement', run: async () => undefined },
  } as const;
  const options = { databaseUrl: service.databaseUrl, log, tasks };
  const scheduledJobs = await startJobs({
    ...options,
    cron: [
      { task: 'hold', match },
      { task: 'settle', match },
    ],
  });
  await eventually('both schedules are known', async () => {
    const rows = await service.db.rows<{ identifier: string }>(sql`
      select identifier from graphile_worker._private_known_crontabs order by identifier`);
    return isDeepStrictEqual(pluck(rows, 'identifier'), ['hold', 'settle']);
  });
  await scheduledJobs.stop();
  await assert.rejects(
    startJobs({ ...options, cron: [{ task: 'record', match }] }),
    /task record does not exist/,
  );
});

test('a job is due or running until it has ended', async () => {
  assert.equal(await isDueOrRunning(service.db, 'wait'), false);
  await service.db.transaction((tx) => enqueue(tx, 'wait', {}, ONE_ATTEMPT));
  assert.equal(await isDueOrRunning(service.db, 'wait'), true);
  waitGate.resolve();
  await eventually('the job has ended', async () => !(await isDueOrRunning(service.db, 'wait')));
});

test('the error message of a failing job is not stored in the jobs table', async () => {
  await service.db.transaction((tx) => enqueue(tx, 'fail', { id: 'x' }, ONE_ATTEMPT));
  const failedJob = await eventually('the job has failed', () =>
    service.db.row<{ last_error: string }>(
      sql`select last_error from graphile_worker.jobs where task_identifier = 'fail' and last_error is not null`,
    ),
  );
  assert.equal(failedJob.last_error.includes('98765'), false);
  assert.match(failedJob.last_error, /TypeError/);
  const [failureLine, ...otherFailureLines] = logLines.filter((line) =>
    line.includes('a job failed permanently'),
  );
  assert.deepEqual(otherFailureLines, []);
  assert.equal(JSON.parse(failureLine!).level, 50);
});

test('permanently failed jobs are deleted after 30 days, and no other jobs', async () => {
  const describedJobs = [
    { id: 'failed and old', attempts: 3, ageDays: 31, isRunning: false },
    { id: 'failed and recent', attempts: 3, ageDays: 29, isRunning: false },
    { id: 'old, to be tried again', attempts: 2, ageDays: 31, isRunning: false },
    { id: 'old, at its last attempt', attempts: 3, ageDays: 31, isRunning: true },
  ];
  for (const { id, attempts, ageDays, isRunning } of describedJobs) {
    await service.db.run(
      sql`select graphile_worker.add_job('nobody does', json_build_object('id', ${id}::text))`,
    );
    await service.db.run(sql`
      update graphile_worker._private_jobs
      set attempts = ${attempts}, max_attempts = 3, updated_at = now() - ${ageDays}::int * interval '1 day',
          locked_at = case when ${isRunning} then now() end, locked_by = case when ${isRunning} then 'a node' end
      where payload ->> 'id' = ${id}`);
  }
  await purgeFailedJobs(service.db);
  const remainingJobs = await service.db.rows<{ id: string }>(sql`
    select job.payload ->> 'id' as id from graphile_worker._private_jobs job
    join graphile_worker._private_tasks task on task.id = job.task_id where task.identifier = 'nobody does' order by job.id`);
  assert.deepEqual(
    remainingJobs.map(({ id }) => id),
    describedJobs.slice(1).map(({ id }) => id),
  );
});

test('jobs continue after their connections were lost or got stuck, and can be stopped meanwhile', async (t) => {
  const databaseLink = await service.openLink();
  const endedTasks: string[] = [];
  let holdGate = Promise.withResolvers<void>();
  const linkedJobs = await startJobs({
    databaseUrl: databaseLink.url,
    log,
    tasks: {
      hold: () => holdGate.promise,
      record: async ({ id }) => void endedTasks.push(id),
    },
  });
  t.after(() => linkedJobs.stop());
  const startHolding = async () => {
    holdGate = Promise.withResolvers();
    await service.db.transaction((tx) => enqueue(tx, 'hold', {}, ONE_ATTEMPT));
    await eventually('the job runs', () =>
      service.db.row(
        sql`select 1 from graphile_worker.jobs where task_identifier = 'hold' and locked_at is not null`,
      ),
    );
  };
  const assertRecordRuns = async (id: string) => {
    await service.db.transaction((tx) => enqueue(tx, 'record', { id }, THREE_ATTEMPTS));
    // Reconnecting may take longer than `eventually` waits.
    for (let i = 0; i < 3 && !endedTasks.includes(id); i++)
      await eventually(`${id} is done`, async () => endedTasks.includes(id)).catch(() => undefined);
    assert.ok(endedTasks.includes(id), id);
  };

  await startHolding();
  databaseLink.cut();
  holdGate.resolve();
  await eventually('the completion of the job could not be written', async () =>
    logLines.join('').includes('Failed to complete jobs'),
  );
  databaseLink.restore();
  await assertRecordRuns('after the cut');

  await startHolding();
  databaseLink.dropPackets();
  holdGate.resolve();
  // Without this, a stuck session could have taken the next job and would keep it.
  databaseLink.endDroppedSessions();
  await assertRecordRuns('after getting stuck');

  await startHolding();
  databaseLink.dropPackets({ includesNewConnections: true });
  holdGate.resolve();
  await linkedJobs.stop();
});

test('stopping waits for a running job', async () => {
  waitGate = Promise.withResolvers();
  await service.db.transaction((tx) => enqueue(tx, 'wait', {}, ONE_ATTEMPT));
  await eventually('the job runs', () =>
    service.db.row(sql`
      select 1 from graphile_worker.jobs where task_identifier = 'wait' and locked_at is not null`),
  );
  const stopPromise = jobs.stop();
  waitGate.resolve();
  await stopPromise;
  assert.equal(await isDueOrRunning(service.db, 'wait'), false);
});

test('a node that loses its presence connection while it reconnects holds its lock in one connection, and in none after it is closed', async () => {
  const presence = new JobPresence(service.databaseUrl, log);
  const lockKey = sql`hashtextextended(${presence.id}, 0)`;
  const listLockPids = async (role: 'holder' | 'waiter') =>
    (
      await service.db.rows<{ pid: number }>(sql`
        select pid from pg_locks
        where locktype = 'advisory' and mode = 'ShareLock' and granted = ${role === 'holder'}
          and (classid::bigint << 32 | objid::bigint) = ${lockKey}`)
    ).map(({ pid }) => pid);
  const terminateSessions = (pids: number[]) =>
    service.db.run(sql`select pg_terminate_backend(pid) from unnest(${pids}::int[]) as pid`);
  await presence.open();
  await service.db.transaction(async (tx) => {
    await terminateSessions(await listLockPids('holder'));
    await tx.run(sql`select pg_advisory_xact_lock(${lockKey})`);
    const waitingPids = await eventually('the node reconnects, and waits for the lock', async () => {
      const pids = await listLockPids('waiter');
      return pids.length > 0 && pids;
    });
    await terminateSessions(waitingPids);
  });
  await eventually('the node holds the lock again', async () => (await listLockPids('holder')).length === 1);
  await presence.close();
  await eventually('no session holds the lock', async () => (await listLockPids('holder')).length === 0);
});
