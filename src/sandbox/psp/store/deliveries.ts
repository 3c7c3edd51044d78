import { type Queryable, runInBatches, sql } from '#platform/database/db.ts';

/** A callback to send. */
export type DueDelivery = {
  id: number;
  url: string;
  /** The kind of resource that the callback reports, which is appended to the URL. */
  kind: 'pix' | 'rec' | 'cobr';
  /** A payment, authorisation or debit. */
  content: Record<string, unknown>;
  attempts: number;
};

/** `key` is the Pix key of the webhook, `REC_WEBHOOK_KEY` or `DEBIT_WEBHOOK_KEY`. */
export type CallbackEntry = { key: string; kind: DueDelivery['kind']; content: unknown };

/** Inserts a callback for the webhook of the key, if there is one. A withheld callback is stored but never sent. */
export const insertDelivery = (
  db: Queryable,
  entry: CallbackEntry,
  { state, delayMs }: { state: 'waiting' | 'withheld'; delayMs: number },
) =>
  db.run(sql`
    insert into psp_sim_deliveries (url, kind, pix, state, due_at, created_at)
    select url, ${entry.kind}, ${JSON.stringify(entry.content)}, ${state},
           clock_timestamp() + ${delayMs}::float8 * interval '1 millisecond', clock_timestamp()
    from psp_sim_webhooks where key = ${entry.key}`);

/** Claims due callbacks for `claimMs`. Skips callbacks that another node has claimed. */
export const claimDeliveries = (db: Queryable, count: number, claimMs: number) =>
  db.rows<DueDelivery>(sql`
    with due as (
      select id from psp_sim_deliveries
      where state = 'waiting' and due_at <= clock_timestamp()
        and (claimed_until is null or claimed_until < clock_timestamp())
      order by due_at, id limit ${count} for update skip locked
    ), claimed as (
      update psp_sim_deliveries delivery set attempts = delivery.attempts + 1,
        claimed_until = clock_timestamp() + ${claimMs}::float8 * interval '1 millisecond'
      from due where delivery.id = due.id returning delivery.*
    )
    select id, url, kind, pix as content, attempts from claimed order by due_at, id`);

export const markDelivered = (db: Queryable, ids: number[], outcome: string) =>
  db.run(sql`
    update psp_sim_deliveries set state = 'delivered', last_outcome = ${outcome}, claimed_until = null
    where id = any(${ids})`);

export const markFailed = (db: Queryable, ids: number[], outcome: string) =>
  db.run(sql`
    update psp_sim_deliveries set state = 'failed', last_outcome = ${outcome}, claimed_until = null
    where id = any(${ids})`);

export const scheduleRetry = (db: Queryable, ids: number[], outcome: string, retryAfterMs: number) =>
  db.run(sql`
    update psp_sim_deliveries set last_outcome = ${outcome}, claimed_until = null,
      due_at = clock_timestamp() + ${retryAfterMs}::float8 * interval '1 millisecond'
    where id = any(${ids})`);

/** Returns the time from now until a callback or refund is due, negative if one is overdue, and null if none is waiting. */
export const findMsUntilNextDue = async (db: Queryable) =>
  (
    await db.row<{ ms: number | null }>(sql`
    select (extract(epoch from least(
      (select min(greatest(due_at, claimed_until)) from psp_sim_deliveries where state = 'waiting'),
      (select min(settles_at) from psp_sim_refunds where status = 'EM_PROCESSAMENTO')) - clock_timestamp()
    ) * 1000)::float8 as ms`)
  )?.ms ?? null;

export async function purgeDeliveries(db: Queryable, before: Date): Promise<void> {
  await runInBatches(() =>
    db.run(sql`
      delete from psp_sim_deliveries
      where id in (select id from psp_sim_deliveries
                   where created_at < ${before} and state <> 'waiting' limit 1000)`),
  );
}

/** Keys of the webhooks for authorisations and debits. They contain a space, so they differ from all Pix keys. */
export const REC_WEBHOOK_KEY = 'webhook rec';
export const DEBIT_WEBHOOK_KEY = 'webhook cobr';

type WebhookRow = { key: string; url: string; created_at: Date };

export const putWebhook = (db: Queryable, key: string, url: string, now: Date) =>
  db.run(sql`
    insert into psp_sim_webhooks (key, url, created_at) values (${key}, ${url}, ${now})
    on conflict (key) do update set url = excluded.url, created_at = excluded.created_at`);

export const findWebhook = (db: Queryable, key: string) =>
  db.row<WebhookRow>(sql`select * from psp_sim_webhooks where key = ${key}`);

export const deleteWebhook = async (db: Queryable, key: string): Promise<boolean> =>
  (await db.run(sql`delete from psp_sim_webhooks where key = ${key}`)) === 1;
