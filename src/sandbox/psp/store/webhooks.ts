import { type Queryable, sql } from '#platform/database/db.ts';

/** Keys of the webhooks for authorisations and debits. They contain a space, so they differ from all Pix keys. */
export const REC_WEBHOOK = 'webhook rec';
export const DEBIT_WEBHOOK = 'webhook cobr';

export type WebhookRow = { key: string; url: string; created_at: Date };

export async function putWebhook(db: Queryable, key: string, url: string, now: Date): Promise<void> {
  await db.run(sql`
    insert into psp_sim_webhooks (key, url, created_at) values (${key}, ${url}, ${now})
    on conflict (key) do update set url = excluded.url, created_at = excluded.created_at`);
}

export async function findWebhook(db: Queryable, key: string): Promise<WebhookRow | undefined> {
  return db.row(sql`select * from psp_sim_webhooks where key = ${key}`);
}

export async function deleteWebhook(db: Queryable, key: string): Promise<boolean> {
  return (await db.run(sql`delete from psp_sim_webhooks where key = ${key}`)) === 1;
}

/** Lists the webhooks of Pix keys. */
export async function listWebhooks(db: Queryable, from: Date, to: Date): Promise<WebhookRow[]> {
  return db.rows(sql`
    select * from psp_sim_webhooks
    where key not in (${REC_WEBHOOK}, ${DEBIT_WEBHOOK}) and created_at between ${from} and ${to}
    order by created_at, key`);
}
