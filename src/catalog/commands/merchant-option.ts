import { CommandFault } from '#platform/command-line/command.ts';
import type { Filter } from '#platform/command-line/listing.ts';
import type { Queryable } from '#platform/database/db.ts';
import { findSellingMerchant } from '../store.ts';

export async function requireMerchant(db: Queryable, slug: string) {
  const merchant = await findSellingMerchant(db, slug);
  if (!merchant) throw new CommandFault(`There is no merchant '${slug}'. See 'semana export merchants'.`);
  return merchant;
}

/** A list of one merchant. */
export const ofMerchant: Filter<number> = {
  option: 'merchant',
  value: 'SLUG',
  help: 'of one merchant',
  read: async (slug, { db }) => (await requireMerchant(db, slug)).id,
};
