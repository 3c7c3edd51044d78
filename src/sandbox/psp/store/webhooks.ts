import { type Queryable, sql } from '#platform/database/db.ts';

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

export async function listWebhooks(db: Queryable, from: Date, to: Date): Promise<WebhookRow[]> {
  return db.rows(sql`
    select * from psp_sim_webhooks where created_at between ${from} and ${to} order by created_at, key`);
}
