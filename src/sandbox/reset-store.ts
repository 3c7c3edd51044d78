import { lockAdvisory } from '#platform/database/advisory-locks.ts';
import { sql, type Tx } from '#platform/database/db.ts';

/** One reset at a time; whoever comes meanwhile waits. */
export async function lockResets(tx: Tx): Promise<void> {
  await lockAdvisory(tx, 'sandboxResets');
}

/**
 * Empties every table there is, but for what this database is for and what nodes go by while they run: the revision of the
 * clock, which only grows, and who the simulated PSP is and where it calls us.
 *
 * All locks are got within 800 ms or none (55P03): PostgreSQL looks for deadlocks after a second, so it is never somebody
 * else's transaction that is sacrificed to this one. With all locks held nobody sees anything until the commit.
 *
 * What is append-only goes only here: its guard reads a setting. Triggers that tell the nodes are not silenced.
 * Sequences go on: what still names an old event, job or revision must not meet a new one.
 */
export async function emptyAllTables(tx: Tx): Promise<void> {
  await tx.run(sql`
    do $$
    declare
      kept constant text[] :=
        array['installation', 'key_checks', 'schema_migrations', 'sandbox_clock', 'psp_sim_settings', 'psp_sim_webhooks'];
      tables constant regclass[] := array(
        select oid::regclass from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relname <> all (kept)
        order by relname);
      until constant timestamptz := clock_timestamp() + interval '800 milliseconds';
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
