import { findSellingMerchantById } from '#catalog';
import type { Messenger } from '#customers';
import { findMemberPhone } from '#members';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';
import { type CronItem, enqueue, type Task, type Tasks } from '#platform/jobs/jobs.ts';
import { withoutLinks } from '#platform/messages/without-links.ts';
import type { Log } from '#platform/observability/log.ts';
import { recordChange } from '#platform/privacy/trail.ts';
import { findPayoutAccount, listDueAccountChanges } from './account-store.ts';
import { applyAccountChange, payoutAccountSubject } from './payout-account.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    payout_accounts_sweep: NoPayload;
  }
}

const LOT = 1_000;
const ATTEMPTS = 3;

type Parts = { db: Db; clock: Clock; log: Log; messenger: Messenger };

export const accountTasks = (parts: Parts): Tasks => ({
  tell_payout_account: { queue: 'messages', run: tellOwner(parts) },
  payout_accounts_sweep: () => sweep(parts),
});

export const ACCOUNTS_CRON: CronItem[] = [{ task: 'payout_accounts_sweep', match: '* * * * *' }];

/** Soon, on whichever node: for what fell due while nobody was there, or by a clock that was moved. */
export async function sweepAccountsSoon({ db, log }: Pick<Parts, 'db' | 'log'>): Promise<void> {
  await db
    .transaction((tx) => enqueue(tx, 'payout_accounts_sweep', {}, ATTEMPTS, { key: 'payout_accounts_sweep' }))
    .catch((error: unknown) => log.warn({ err: error }, 'the next minute sweeps the changes of accounts'));
}

/** Each in a transaction of its own: one that fails is tried again in a minute, and keeps no other waiting. */
async function sweep({ db, clock, log }: Parts): Promise<void> {
  const now = clock.now();
  const actor = { id: 'semana', address: null, requestId: null };
  for (const merchantId of await listDueAccountChanges(db, now, LOT)) {
    try {
      await db.transaction(async (tx) => {
        const merchant = await findSellingMerchantById(tx, merchantId);
        if (!merchant) return applyAccountChange(tx, merchantId, now);
        await recordChange(
          tx,
          { actor, action: 'applyPayoutAccountChange', now },
          { of: payoutAccountSubject, id: merchant.slug },
          () => applyAccountChange(tx, merchantId, now),
        );
      });
    } catch (error) {
      log.error(
        { err: error, merchant_id: merchantId },
        'a change of a payout account could not take effect',
      );
    }
  }
}

const when = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  day: '2-digit',
  month: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
});

/** Not sent where the change has gone on since. Of the key only the end: whoever reads this may not be an owner any more. */
const tellOwner =
  ({ db, messenger }: Parts): Task<'tell_payout_account'> =>
  async ({ merchant_id: merchantId, member_id: memberId, counts_at: countsAt }, attempt) => {
    const account = await findPayoutAccount(db, merchantId);
    const phone = await findMemberPhone(db, memberId);
    if (phone === undefined) return;
    if (countsAt !== null && account.change_counts_at?.toISOString() !== countsAt) return;
    const merchant = await findSellingMerchantById(db, merchantId);
    const name = withoutLinks(merchant?.name ?? '') || 'sua loja';
    const key = (countsAt === null ? account.pix_key : account.change?.pix_key) ?? '';
    const text =
      countsAt === null
        ? `Semana: os repasses de ${name} agora vão para a chave Pix de final ${key.slice(-4)}. Não foi você? Fale com a gente.`
        : `Semana: pediram para pagar os repasses de ${name} na chave Pix de final ${key.slice(-4)}. Vale em ` +
          `${when.format(new Date(countsAt))}. Não foi você? Fale com a gente antes disso.`;
    const topic = {
      id: `${memberId}_${countsAt ?? 'now'}`,
      purpose: 'payout_account',
      customerId: null,
    } as const;
    await messenger.deliver({ to: phone, text }, topic, attempt);
  };
