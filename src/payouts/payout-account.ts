import type { Static } from 'typebox';
import { findMerchantWithPlan, findMerchantWithPlanById } from '#catalog';
import { parseCnpj } from '#core/values/cnpj.ts';
import { parseCpf } from '#core/values/cpf.ts';
import { DAY_MS } from '#core/values/duration.ts';
import { listOwnerPhones } from '#members';
import { type PrepareMessage, queuePhoneMessage } from '#messages';
import type { Deps } from '#module';
import type { Db, Tx } from '#platform/database/db.ts';
import { project } from '#platform/http/project.ts';
import { omit } from '#platform/omit.ts';
import { type AuditEntity, withAuditedUpdate } from '#platform/privacy/audit-trail.ts';
import { invalidField } from '#platform/problem.ts';
import {
  type AccountDetails,
  deleteAccountChange,
  findPayoutAccount,
  listMerchantIdsWithDueChange,
  lockPayoutAccount,
  type PayoutAccountRow,
  saveAccount,
  saveAccountChange,
} from './account-store.ts';
import { noAccountChange } from './problems.ts';
import { PayoutAccount, type PayoutAccountForm } from './schemas.ts';

const CHANGE_DELAY_MS = DAY_MS;
/** Owners who were removed this long before a change are notified as well, in case the removal was fraudulent. */
const OWNER_NOTICE_MS = 7 * DAY_MS;

export const renderAccount = (row: PayoutAccountRow): Static<typeof PayoutAccount> => ({
  ...project(PayoutAccount, row),
  change: row.change && {
    ...omit(row.change, 'asked_by'),
    counts_at: row.change_counts_at!.toISOString(),
  },
});

/** Audits a payout account by the merchant's slug. `read` locks the account, and returns an empty one if the merchant has none. */
export const payoutAccountAuditEntity: AuditEntity<Static<typeof PayoutAccount>> = {
  kind: 'payout_account',
  async read(tx, slug) {
    const merchant = await findMerchantWithPlan(tx, slug);
    return merchant && renderAccount(await lockPayoutAccount(tx, merchant.id));
  },
};

export function parseAccount({
  pix_key,
  holder_name,
  tax_id,
}: Static<typeof PayoutAccountForm>): AccountDetails {
  const taxId = parseCnpj(tax_id) ?? parseCpf(tax_id);
  if (taxId === null) {
    const message = { en: 'is neither a CNPJ nor a CPF', pt: 'não é um CNPJ nem um CPF' };
    throw invalidField('/tax_id', message);
  }
  return { pix_key, holder_name: holder_name.trim(), tax_id: taxId };
}

/** Sets the account for the operator, with immediate effect. The caller has checked that the merchant exists. */
export async function setPayoutAccount(
  tx: Tx,
  slug: string,
  accountInput: Static<typeof PayoutAccountForm>,
  now: Date,
): Promise<void> {
  const { id } = (await findMerchantWithPlan(tx, slug))!;
  await replaceAccount(tx, id, parseAccount(accountInput), now);
}

/**
 * Requests a change for an owner. The change takes effect after 24 hours, even if there was no account before, and replaces a pending
 * change. Sending the current account cancels the pending change.
 */
export async function requestAccountChange(
  tx: Tx,
  { merchantId, memberId, now }: { merchantId: number; memberId: string; now: Date },
  accountInput: Static<typeof PayoutAccountForm>,
): Promise<void> {
  const account = parseAccount(accountInput);
  const currentAccount = await lockPayoutAccount(tx, merchantId);
  const isUnchanged = (Object.keys(account) as Array<keyof AccountDetails>).every(
    (key) => account[key] === currentAccount[key],
  );
  if (isUnchanged) {
    await deleteAccountChange(tx, merchantId);
    return;
  }
  const effectiveAt = new Date(now.getTime() + CHANGE_DELAY_MS);
  const change = { ...account, asked_by: memberId, asked_at: now.toISOString() };
  await saveAccountChange(tx, merchantId, { change, effectiveAt });
  await notifyOwners(tx, merchantId, { effectiveAt, now });
}

/** Cancels the pending change. Throws if there is none. */
export async function cancelAccountChange(tx: Tx, slug: string): Promise<void> {
  const { id } = (await findMerchantWithPlan(tx, slug))!;
  const { change } = await lockPayoutAccount(tx, id);
  if (!change) throw noAccountChange();
  await deleteAccountChange(tx, id);
}

/** Saves the account with immediate effect. The caller has locked the account. */
async function replaceAccount(tx: Tx, merchantId: number, account: AccountDetails, now: Date): Promise<void> {
  await saveAccount(tx, merchantId, account);
  await notifyOwners(tx, merchantId, { effectiveAt: null, now });
}

/**
 * Queues a message to all owners. `effectiveAt` is null if the change has already taken effect. `createAccountMessagePreparer` fills in
 * name and key before sending.
 */
async function notifyOwners(
  tx: Tx,
  merchantId: number,
  { effectiveAt, now }: { effectiveAt: Date | null; now: Date },
): Promise<void> {
  const data = { merchantId, merchant: '', keyEnd: '', countsAt: effectiveAt?.toISOString() ?? null };
  for (const phone of await listOwnerPhones(tx, merchantId, new Date(now.getTime() - OWNER_NOTICE_MS)))
    await queuePhoneMessage(tx, phone, {
      template: 'payout_account_changed',
      data,
      now,
      isToMember: true,
    });
}

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    payout_accounts_sweep: NoPayload;
  }
}

const BATCH_SIZE = 1_000;

/** Applies due changes, each in its own transaction. A failure does not stop the others and is retried within a minute. */
export async function applyDueAccountChanges({
  db,
  clock,
  log,
}: Pick<Deps, 'db' | 'clock' | 'log'>): Promise<void> {
  const now = clock.now();
  const systemActor = { id: 'semana', ipAddress: null, requestId: null };
  for (const merchantId of await listMerchantIdsWithDueChange(db, now, BATCH_SIZE)) {
    try {
      await db.transaction(async (tx) => {
        const { change, change_counts_at: effectiveAt } = await lockPayoutAccount(tx, merchantId);
        // The change was applied, cancelled or replaced meanwhile.
        if (!change || effectiveAt! > now) return;
        const merchant = await findMerchantWithPlanById(tx, merchantId);
        // A deleted merchant has no slug, by which the audit trail identifies the account.
        if (!merchant) return replaceAccount(tx, merchantId, change, now);
        await withAuditedUpdate(
          tx,
          { actor: systemActor, action: 'applyPayoutAccountChange', now },
          { entity: payoutAccountAuditEntity, id: merchant.slug },
          () => replaceAccount(tx, merchantId, change, now),
        );
      });
    } catch (error) {
      log.error({ err: error, merchant_id: merchantId }, 'could not apply the change of a payout account');
    }
  }
}

/** Returns a function that completes the data of the message, or skips the message if the announced change was applied or cancelled since. */
export const createAccountMessagePreparer =
  (db: Db): PrepareMessage<'payout_account_changed'> =>
  async ({ data }) => {
    const { merchantId, countsAt: effectiveAt } = data;
    const account = await findPayoutAccount(db, merchantId);
    const isPending = effectiveAt !== null;
    if (isPending && account.change_counts_at?.toISOString() !== effectiveAt) return null;
    const merchant = await findMerchantWithPlanById(db, merchantId);
    const key = (isPending ? account.change?.pix_key : account.pix_key) ?? '';
    return { ...data, merchant: merchant?.name ?? '', keyEnd: key.slice(-4) };
  };
