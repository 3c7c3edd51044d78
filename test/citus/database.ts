import pg from 'pg';
import { systemClock } from '#platform/clock.ts';
import { openDb } from '#platform/db.ts';
import { distribute, listWalletTables } from '#platform/distribute.ts';
import { claimInstallation } from '#platform/installation.ts';
import { migrate } from '#platform/migrate.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { seedDemo } from '#sandbox';
import { eventsOf, readConfiguration } from '../../src/modules.ts';

/** Whether the tests run by npm run test:citus. */
export const isOnCitus = (): boolean =>
  process.env.CITUS_URL !== undefined && process.env.CITUS_URL === process.env.TEST_DATABASE_URL;

type Worker = { nodename: string; nodeport: number };

/** A database of its own on a Citus cluster, distributed. There are no templates there: it is made from the beginning. */
export async function createCitusDatabase(coordinator: string, name: string, demo: boolean): Promise<string> {
  const url = Object.assign(new URL(coordinator), { pathname: `/${name}` }).href;
  const workers = await workersOf(coordinator);
  for (const at of [coordinator, ...workers.map((worker) => on(worker, coordinator))]) {
    await query(at, `create database ${name}`);
    await query(Object.assign(new URL(at), { pathname: `/${name}` }).href, 'create extension citus');
  }
  const { hostname, port } = new URL(coordinator);
  await query(url, `select citus_set_coordinator_host('${hostname}', ${port})`);
  for (const { nodename, nodeport } of workers)
    await query(url, `select citus_add_node('${nodename}', ${nodeport})`);
  await migrate(url, 'sandbox');
  const db = openDb({ url, poolSize: 1, label: 'template', patienceMs: 60_000 });
  await distribute(url, await listWalletTables(db));
  await db.transaction(async (tx) => {
    await claimInstallation(tx, 'sandbox');
    if (demo) await seedDemo(tx, systemClock, new Vault(SANDBOX_SECRETS), eventsOf(readConfiguration({})));
  });
  await db.close();
  return url;
}

export async function dropCitusDatabase(coordinator: string, name: string): Promise<void> {
  const workers = await workersOf(coordinator);
  for (const at of [coordinator, ...workers.map((worker) => on(worker, coordinator))])
    await query(at, `drop database if exists ${name} with (force)`);
}

const on = ({ nodename, nodeport }: Worker, coordinator: string): string =>
  Object.assign(new URL(coordinator), { host: `${nodename}:${nodeport}` }).href;

async function workersOf(coordinator: string): Promise<Worker[]> {
  const text = 'select nodename, nodeport from pg_dist_node where groupid <> 0 order by nodeport';
  return (await query(coordinator, text)) as Worker[];
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
