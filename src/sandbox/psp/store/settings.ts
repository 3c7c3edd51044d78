import type { JWK } from 'jose';
import { type Queryable, sql } from '#platform/database/db.ts';
import type { Faults } from '../faults.ts';

type SettingsRow = {
  simulator_id: string;
  token_secret: Buffer;
  signing_key: JWK;
  faults: Partial<Faults>;
};

export async function findSettings(db: Queryable): Promise<SettingsRow | undefined> {
  return db.row(sql`select simulator_id, token_secret, signing_key, faults from psp_sim_settings`);
}

/** Does nothing if another node has inserted the settings. */
export async function insertSettings(db: Queryable, row: SettingsRow): Promise<void> {
  await db.run(sql`
    insert into psp_sim_settings (simulator_id, token_secret, signing_key, faults)
    values (${row.simulator_id}, ${row.token_secret}, ${JSON.stringify(row.signing_key)},
            ${JSON.stringify(row.faults)})
    on conflict do nothing`);
}

export async function findFaults(db: Queryable): Promise<Partial<Faults>> {
  const row = await db.row<{ faults: Partial<Faults> }>(sql`select faults from psp_sim_settings`);
  return row?.faults ?? {};
}

export async function updateFaults(db: Queryable, faults: Faults): Promise<void> {
  await db.run(sql`update psp_sim_settings set faults = ${JSON.stringify(faults)}`);
}
