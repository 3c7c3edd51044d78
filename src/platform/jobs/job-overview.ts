import { defineList } from '#platform/http/list.ts';
import { type Queryable, sql, type Tx } from '../database/db.ts';
import { NODE_SESSION_PREFIX } from './job-presence.ts';

export type FailingJob = {
  id: string;
  task: string;
  attempts: number;
  max_attempts: number;
  last_error: string;
  run_at: Date;
  created_at: Date;
  is_running: boolean;
};

/** Lists jobs whose last attempt failed, or whose final attempt was interrupted because its node died, which leaves no error. */
export const failingJobList = defineList({
  select: sql`
    select id::text, task_identifier as task, attempts, max_attempts,
           coalesce(split_part(last_error, E'\n', 1), 'interrupted: its node stopped') as last_error, run_at, created_at,
           locked_at is not null as is_running
    from graphile_worker.jobs`,
  where: sql`(last_error is not null or (attempts >= max_attempts and locked_at is null))`,
  filters: {},
  orderBy: [sql`created_at`, sql`id`],
  keyOf: ({ created_at, id }: FailingJob) => [created_at, id],
});

/** Reschedules a job for now, and resets its attempts. Returns false if the job does not exist any more or is running. */
export async function retryJob(tx: Tx, id: string): Promise<boolean> {
  const rescheduledJobs = await tx.rows<{ id: string }>(sql`
    select id::text from graphile_worker.reschedule_jobs(array[${id}]::bigint[], run_at => now(), attempts => 0)`);
  return rescheduledJobs.length > 0;
}

/** `since`: when the node connected to the database. */
export type NodeRow = { id: string; release: string; address: string | null; since: Date; jobs: number };

/** Lists the nodes with a live session in the database. The name of such a session is 'semana node ID RELEASE KEY_VERSIONS': see `JobPresence`. */
export async function listNodes(db: Queryable): Promise<NodeRow[]> {
  return db.rows(sql`
    select split_part(application_name, ' ', 3) as id, split_part(application_name, ' ', 4) as release,
           host(client_addr) as address, backend_start as since,
           (select count(*) from graphile_worker.jobs where locked_by = split_part(application_name, ' ', 3)) as jobs
    from pg_stat_activity
    where datname = current_database() and application_name like ${`${NODE_SESSION_PREFIX} %`}
    order by backend_start, id`);
}

/** Lists the connected nodes that cannot decrypt with this version of DATA_KEYS, or whose release does not report its versions. */
export async function listNodesWithoutKey(db: Queryable, version: number): Promise<string[]> {
  const nodes = await db.rows<{ id: string }>(sql`
    select split_part(application_name, ' ', 3) as id from pg_stat_activity
    where datname = current_database() and application_name like ${`${NODE_SESSION_PREFIX} %`}
      and not (${String(version)} = any(string_to_array(split_part(application_name, ' ', 5), ',')))
    order by backend_start, id`);
  return nodes.map(({ id }) => id);
}
