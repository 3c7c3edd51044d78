import pg from 'pg';
import { distribute, listWalletTables } from '#platform/command-line/distribute.ts';
import { openDb } from '#platform/database/db.ts';
import { migrate } from '#platform/database/migrate.ts';
import { buildDatabaseUrl, fillTemplate } from '../template.ts';

/** Returns whether the tests run on the Citus cluster, by `npm run test:citus`. */
export const isOnCitus = (): boolean =>
  process.env.CITUS_URL !== undefined && process.env.CITUS_URL === process.env.TEST_DATABASE_URL;

/** Creates an empty database on all servers of the cluster, and registers the workers with the coordinator. */
export async function createCitusDatabase(coordinator: string, name: string): Promise<string> {
  const [coordinatorServer, ...workers] = await listServers(coordinator);
  for (const server of [coordinatorServer!, ...workers]) {
    await query(server, `create database ${name}`);
    await query(buildDatabaseUrl(server, name), 'create extension citus');
  }
  const url = buildDatabaseUrl(coordinator, name);
  const { hostname, port } = new URL(coordinator);
  await query(url, `select citus_set_coordinator_host('${hostname}', ${port})`);
  for (const worker of workers)
    await query(url, `select citus_add_node('${new URL(worker).hostname}', ${new URL(worker).port})`);
  return url;
}

/** Creates a distributed database, to be copied by {@link copyCitusDatabase}. */
export async function createCitusTemplate(
  coordinator: string,
  name: string,
  options: { demo: boolean },
): Promise<void> {
  await dropCitusDatabase(coordinator, name);
  const url = await createCitusDatabase(coordinator, name);
  await migrate(url, 'sandbox');
  const db = openDb({ url, poolSize: 1, applicationName: 'template' });
  await distribute(url, await listWalletTables(db));
  await db.close();
  await fillTemplate(url, options);
}

/** Copies a database on each server. The placement of its shards is stored in the database itself. */
export async function copyCitusDatabase(
  coordinator: string,
  template: string,
  name: string,
): Promise<string> {
  for (const server of await listServers(coordinator)) {
    await copyOnServer(server, template, name);
    const settings = await query<{ setting: string }>(
      server,
      `select unnest(setconfig) as setting from pg_db_role_setting join pg_database on pg_database.oid = setdatabase
       where datname = '${template}'`,
    );
    for (const { setting } of settings)
      await query(server, `alter database ${name} set ${setting.replace('=', ' to ')}`);
  }
  return buildDatabaseUrl(coordinator, name);
}

/** The background worker may reconnect before the copy begins, so copying is attempted several times. */
const MAX_COPY_ATTEMPTS = 20;

/** Copies the template on one server. Ends the connections to it first: Citus has a background worker in every database. */
async function copyOnServer(server: string, template: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await query(
      server,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${template}'`,
    );
    try {
      return void (await query(server, `create database ${name} template ${template}`));
    } catch (error) {
      if (attempt === MAX_COPY_ATTEMPTS) throw error;
    }
  }
}

export async function dropCitusDatabase(coordinator: string, name: string): Promise<void> {
  for (const server of await listServers(coordinator))
    await query(server, `drop database if exists ${name} with (force)`);
}

/** Lists the URLs of the coordinator and the workers. */
async function listServers(coordinator: string): Promise<string[]> {
  const workers = await query<{ host: string }>(
    coordinator,
    `select nodename || ':' || nodeport as host from pg_dist_node where groupid <> 0 order by nodeport`,
  );
  return [coordinator, ...workers.map(({ host }) => Object.assign(new URL(coordinator), { host }).href)];
}

async function query<R>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as R[];
  } finally {
    await client.end();
  }
}
