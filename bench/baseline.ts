import pg from 'pg';
import { createDatabase } from './environment.ts';

const CLIENTS = 16;
const INSERT = { name: 'insert', text: 'insert into bench_rows (text) values ($1)', values: ['a row'] };

/** Opens a baseline that inserts rows of one text column, each in a transaction, into a separate database on the same server. */
export async function openBaseline(serverUrl: string, readPostgresSeconds: () => number) {
  const url = await createDatabase(serverUrl, `bench_baseline_${process.pid}_${Date.now()}`);
  const pool = new pg.Pool({ connectionString: url, max: CLIENTS });
  await pool.query('create table bench_rows (id bigint generated always as identity primary key, text text)');
  const readCpuSeconds = () =>
    readPostgresSeconds() + (process.cpuUsage().user + process.cpuUsage().system) / 1e6;
  return {
    /** Returns the inserts per second, and the CPU time of one insert in this process and PostgreSQL together. */
    async run(durationMs: number): Promise<{ rate: number; cpuMsPerInsert: number }> {
      let insertCount = 0;
      const [startedAtMs, cpuBefore] = [performance.now(), readCpuSeconds()];
      await Promise.all(
        Array.from({ length: CLIENTS }, async () => {
          while (performance.now() - startedAtMs < durationMs) {
            await pool.query(INSERT);
            insertCount += 1;
          }
        }),
      );
      return {
        rate: insertCount / ((performance.now() - startedAtMs) / 1000),
        cpuMsPerInsert: ((readCpuSeconds() - cpuBefore) * 1000) / insertCount,
      };
    },
    close: () => pool.end(),
  };
}
