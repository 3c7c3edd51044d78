import { type Queryable, sql, type Tx } from '../database/db.ts';
import type { Listing } from '../http/listing.ts';
import { NODE_SESSION } from './job-presence.ts';

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

/** Jobs whose last attempt failed, without their payload. */
export const listedFailingJobs: Listing<FailingJob> = {
  of: sql`
    select id::text, task_identifier as task, attempts, max_attempts, split_part(last_error, E'\n', 1) as last_error, run_at,
           created_at, locked_at is not null as is_running
    from graphile_worker.jobs`,
  where: [sql`last_error is not null`],
  by: [sql`created_at`, sql`id`],
  keyOf: ({ created_at, id }) => [created_at, id],
};

/** Runs it soon, with all its attempts. False: it is gone, or is running now. */
export async function retryJob(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.rows<{ id: string }>(sql`
    select id::text from graphile_worker.reschedule_jobs(array[${id}]::bigint[], run_at => now(), attempts => 0)`);
  return rows.length > 0;
}

export type NodeRow = { id: string; release: string; address: string | null; since: Date; jobs: number };

/** Nodes whose session in the database lives: see `JobPresence`. */
export async function listNodes(db: Queryable): Promise<NodeRow[]> {
  return db.rows(sql`
    select split_part(application_name, ' ', 3) as id, split_part(application_name, ' ', 4) as release,
           host(client_addr) as address, backend_start as since,
           (select count(*) from graphile_worker.jobs where locked_by = split_part(application_name, ' ', 3)) as jobs
    from pg_stat_activity
    where datname = current_database() and application_name like ${`${NODE_SESSION} %`}
    order by backend_start, id`);
}
