import { lockAdvisory } from '#platform/database/advisory-locks.ts';
import { sql, type Tx } from '#platform/database/db.ts';

/** Serialises resets. */
export async function lockResets(tx: Tx): Promise<void> {
  await lockAdvisory(tx, 'sandboxResets');
}

/**
 * Truncates all tables except those in `preserved`: the installation, key checks and migrations, the clock with its revision,
 * which must only grow, and the settings and webhooks of the PSP simulator.
 *
 * All locks are taken within 500 ms, or it fails with 55P03. PostgreSQL's deadlock_timeout is one second, so a deadlock never
 * aborts another transaction in favour of this one. All tables are locked, so no reader sees a partial reset.
 *
 * Append-only tables can be truncated only here, because their trigger checks `semana.resetting`. Triggers that notify nodes
 * still run. Sequences are not restarted, so that ids of events, jobs and revisions are never reused.
 */
export async function truncateAllTables(tx: Tx): Promise<void> {
  await tx.run(sql`
    do $$
    declare
      preserved constant text[] :=
        array['installation', 'key_checks', 'schema_migrations', 'sandbox_clock', 'psp_sim_settings', 'psp_sim_webhooks'];
      tables constant regclass[] := array(
        select oid::regclass from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relname <> all (preserved)
        order by relname);
      until constant timestamptz := clock_timestamp() + interval '500 milliseconds';
      one regclass;
    begin
      foreach one in array tables loop
        perform set_config(
          'lock_timeout', greatest(1, extract(milliseconds from until - clock_timestamp())::int)::text, true);
        execute format('lock table %s in access exclusive mode', one);
      end loop;
      perform set_config('lock_timeout', '0', true);

      execute 'set local semana.resetting = on';
      execute 'truncate ' || array_to_string(tables, ', ');
      execute 'set local semana.resetting = off';
    end $$`);
}
