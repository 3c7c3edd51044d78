import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, sql } from '#platform/database/db.ts';
import { readMetric, type Service } from './processes.ts';

/** PostgreSQL settings that are required to count statements. */
export const STATEMENT_COUNTING_SETTINGS = { shared_preload_libraries: 'pg_stat_statements' };

/** PostgreSQL connections flush their statistics within a second of their last statement. */
const STATISTICS_DELAY_MS = 1_500;

/** Cumulative counters of the database. The round trips are those of the service, without those of its job library. */
export type DatabaseWork = {
  roundTrips: number;
  statements: number;
  transactions: number;
  rowsWritten: number;
  diskBytes: number;
  writesByTable: WritesByTable;
};

/**
 * Rows and index entries written, by table. A delete, and an update that changes no indexed column (HOT), write one row. Any other write also
 * counts an entry of each index that is not partial.
 */
export type WritesByTable = Record<string, number>;

export async function openWorkMeter(db: Db, service: Service) {
  await db.run(sql`create extension if not exists pg_stat_statements`);
  return {
    resetStatementCounts: () => db.run(sql`select pg_stat_statements_reset()`),
    /** Returns the bytes of WAL that the whole server has written so far. */
    readWal: async () =>
      (await db.row<{ bytes: number }>(sql`select (pg_current_wal_insert_lsn() - '0/0')::bigint as bytes`))!
        .bytes,
    /** Returns the counters so far, those of statements since they were reset. */
    async readWork(): Promise<DatabaseWork> {
      await sleep(STATISTICS_DELAY_MS);
      const row = await db.row<Omit<DatabaseWork, 'roundTrips' | 'writesByTable'>>(sql`
        select (select sum(s.calls)::bigint from pg_stat_statements s where s.dbid = d.datid) as statements,
               xact_commit + xact_rollback as transactions,
               tup_inserted + tup_updated + tup_deleted as "rowsWritten",
               pg_database_size(datname) as "diskBytes"
        from pg_stat_database d where datname = current_database()`);
      const tables = await db.rows<{ name: string; writes: number }>(sql`
        select t.relname as name,
               t.n_tup_hot_upd + t.n_tup_del
                 + (t.n_tup_ins + t.n_tup_upd - t.n_tup_hot_upd)
                   * (1 + (select count(*) from pg_index i where i.indrelid = t.relid and i.indpred is null)) as writes
        from pg_stat_user_tables t`);
      return {
        roundTrips: await readMetric(service, 'database_round_trips_total'),
        ...row!,
        writesByTable: Object.fromEntries(tables.map(({ name, writes }) => [name, writes])),
      };
    },
  };
}
