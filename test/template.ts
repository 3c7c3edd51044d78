import { systemClock } from '#platform/clock.ts';
import { forNewCustomers } from '#platform/database/customer-transaction.ts';
import { DatabaseClient } from '#platform/database/database-client.ts';
import { openDb } from '#platform/database/db.ts';
import { claimInstallation, recordKeyChecks } from '#platform/database/installation.ts';
import { migrate } from '#platform/database/migrate.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { seedEmptyDatabase } from '#sandbox';
import { createModuleEvents, readConfiguration } from '../src/modules.ts';
import './password-cost.ts';

/** Replaces the name of the database in a URL. */
export const buildDatabaseUrl = (server: string, name: string): string =>
  server.replace(/\/[^/]*$/, `/${name}`);

/** Creates a database that tests copy: empty, or with the demo data. */
export async function createTemplate(
  server: string,
  name: string,
  options: { demo: boolean },
): Promise<void> {
  const admin = new DatabaseClient({ connectionString: server });
  await admin.connect();
  await admin.query(`drop database if exists ${name}`);
  await admin.query(`create database ${name}`);
  await admin.end();
  const url = buildDatabaseUrl(server, name);
  await migrate(url, 'sandbox');
  await fillTemplate(url, options);
}

export async function fillTemplate(url: string, { demo }: { demo: boolean }): Promise<void> {
  const vault = new Vault(SANDBOX_SECRETS);
  const db = openDb({ url, poolSize: 1, applicationName: 'template', timeoutMs: 60_000, vault });
  await forNewCustomers(db).transaction(async (tx) => {
    await claimInstallation(tx, 'sandbox');
    await recordKeyChecks(tx, vault);
    const events = createModuleEvents(readConfiguration({}));
    if (demo) await seedEmptyDatabase(tx, { clock: systemClock, vault, events });
  });
  await db.close();
}
