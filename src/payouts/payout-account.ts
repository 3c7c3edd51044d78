import type { Static } from 'typebox';
import { findSellingMerchant } from '#catalog';
import { parseCnpj } from '#core/cnpj.ts';
import { parseCpf } from '#core/cpf.ts';
import type { Tx } from '#platform/database/db.ts';
import type { Subject } from '#platform/privacy/trail.ts';
import { faultsIn, validationFailed } from '#platform/problem.ts';
import type { PayoutAccount, PayoutAccountForm } from './schemas.ts';
import { findPayoutAccount, writePayoutAccount } from './store.ts';

const NONE: Static<typeof PayoutAccount> = { pix_key: null, holder_name: null, tax_id: null };

/** By the merchant's slug. A merchant without one has an empty one. */
export const payoutAccountSubject: Subject<Static<typeof PayoutAccount>> = {
  kind: 'payout_account',
  async read(tx, slug) {
    const merchant = await findSellingMerchant(tx, slug);
    return merchant && ((await findPayoutAccount(tx, merchant.id)) ?? NONE);
  },
};

/** The merchant exists. */
export async function changePayoutAccount(
  tx: Tx,
  slug: string,
  { pix_key, holder_name, tax_id }: Static<typeof PayoutAccountForm>,
): Promise<void> {
  const taxId = parseCnpj(tax_id) ?? parseCpf(tax_id);
  if (taxId === null) {
    const message = { en: 'is neither a CNPJ nor a CPF', pt: 'não é um CNPJ nem um CPF' };
    throw validationFailed([{ pointer: '/tax_id', message }], faultsIn('body', 1));
  }
  const { id } = (await findSellingMerchant(tx, slug))!;
  await writePayoutAccount(tx, id, { pix_key, holder_name, tax_id: taxId });
}
