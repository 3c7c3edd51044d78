import type { Static } from 'typebox';
import { findSellingMerchant } from '#catalog';
import { parseCnpj } from '#core/cnpj.ts';
import { parseCpf } from '#core/cpf.ts';
import { DAY_MS } from '#core/duration.ts';
import { listOwnerPhones } from '#members';
import { tellPhone } from '#messages';
import type { Tx } from '#platform/database/db.ts';
import { shown } from '#platform/http/shown.ts';
import type { Subject } from '#platform/privacy/trail.ts';
import { faultsIn, validationFailed } from '#platform/problem.ts';
import {
  type Account,
  type AccountChange,
  lockPayoutAccount,
  markAccount,
  markAccountChange,
  type PayoutAccountRow,
} from './account-store.ts';
import { noAccountChange } from './problems.ts';
import { PayoutAccount, type PayoutAccountForm } from './schemas.ts';

const WAIT_MS = DAY_MS;
/** An owner who was removed shortly before a change is told of it, too. */
const REMOVED_MS = 7 * DAY_MS;

export const renderAccount = (row: PayoutAccountRow): Static<typeof PayoutAccount> => ({
  ...shown(PayoutAccount, row),
  change: row.change && {
    pix_key: row.change.pix_key,
    holder_name: row.change.holder_name,
    tax_id: row.change.tax_id,
    asked_at: row.change.asked_at,
    counts_at: row.change_counts_at!.toISOString(),
  },
});

/** By the merchant's slug; reading it locks it. A merchant without one has an empty one. */
export const payoutAccountSubject: Subject<Static<typeof PayoutAccount>> = {
  kind: 'payout_account',
  async read(tx, slug) {
    const merchant = await findSellingMerchant(tx, slug);
    return merchant && renderAccount(await lockPayoutAccount(tx, merchant.id));
  },
};

function readAccount({ pix_key, holder_name, tax_id }: Static<typeof PayoutAccountForm>): Account {
  const taxId = parseCnpj(tax_id) ?? parseCpf(tax_id);
  if (taxId === null) {
    const message = { en: 'is neither a CNPJ nor a CPF', pt: 'não é um CNPJ nem um CPF' };
    throw validationFailed([{ pointer: '/tax_id', message }], faultsIn('body', 1));
  }
  return { pix_key, holder_name: holder_name.trim(), tax_id: taxId };
}

/** The operator's change counts at once. The merchant exists. */
export async function changePayoutAccount(
  tx: Tx,
  slug: string,
  form: Static<typeof PayoutAccountForm>,
  now: Date,
): Promise<void> {
  const { id } = (await findSellingMerchant(tx, slug))!;
  await markAccount(tx, id, readAccount(form));
  await tellOwners(tx, id, null, now);
}

/**
 * An owner's change takes effect after 24 hours, also if there was no account before. It replaces a pending change. Sending the current
 * account cancels the pending change. The caller has locked the account.
 */
export async function askAccountChange(
  tx: Tx,
  { merchantId, memberId, now }: { merchantId: number; memberId: string; now: Date },
  form: Static<typeof PayoutAccountForm>,
): Promise<void> {
  const account = readAccount(form);
  const current = await lockPayoutAccount(tx, merchantId);
  const isSame = (Object.keys(account) as Array<keyof Account>).every((key) => account[key] === current[key]);
  if (isSame) return markAccountChange(tx, merchantId, null);
  const countsAt = new Date(now.getTime() + WAIT_MS);
  const change = { ...account, asked_by: memberId, asked_at: now.toISOString() };
  await markAccountChange(tx, merchantId, { change, countsAt });
  await tellOwners(tx, merchantId, countsAt, now);
}

/** The caller has locked the account. */
export async function stopAccountChange(tx: Tx, slug: string): Promise<void> {
  const { id } = (await findSellingMerchant(tx, slug))!;
  const { change } = await lockPayoutAccount(tx, id);
  if (!change) throw noAccountChange();
  await markAccountChange(tx, id, null);
}

/** The change that is due, if it was not applied or stopped meanwhile. Locks the account. */
export async function lockDueChange(
  tx: Tx,
  merchantId: number,
  now: Date,
): Promise<AccountChange | undefined> {
  const { change, change_counts_at: countsAt } = await lockPayoutAccount(tx, merchantId);
  return change && countsAt! <= now ? change : undefined;
}

/** The caller has locked the account. */
export async function applyAccountChange(
  tx: Tx,
  merchantId: number,
  change: AccountChange,
  now: Date,
): Promise<void> {
  await markAccount(tx, merchantId, change);
  await tellOwners(tx, merchantId, null, now);
}

async function tellOwners(tx: Tx, merchantId: number, countsAt: Date | null, now: Date): Promise<void> {
  const parts = { merchantId, merchant: '', keyEnd: '', countsAt: countsAt?.toISOString() ?? null };
  for (const phone of await listOwnerPhones(tx, merchantId, new Date(now.getTime() - REMOVED_MS)))
    await tellPhone(tx, phone, { template: 'payout_account_changed', parts, now, isOfMember: true });
}
