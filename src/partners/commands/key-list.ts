import { CommandFault } from '#platform/command-line/command.ts';
import { readingCommand, tableOf } from '#platform/command-line/reading.ts';
import { shownDay, shownInstant } from '#platform/command-line/times.ts';
import type { Db } from '#platform/database/db.ts';
import { type FindSlugs, withSlugs } from '../merchant-directory.ts';
import { findPartner, type KeyRow, listKeys } from '../store.ts';

const ALL = { offset: 0, limit: 1_000_000 };

export const keyList = (findSlugs: FindSlugs | undefined) =>
  readingCommand({
    name: 'key list',
    summary: 'show API keys, their state and last use',
    options: { partner: { value: 'ID', help: 'only those of this partner (id or name)' } },
    async read({ db, clock }, args) {
      const { rows } = await listKeys(db, await partnerId(db, args.option('partner')), ALL);
      const keys = (await withSlugs(db, rows, findSlugs)).map(({ merchant_id: _, ...key }) => key);
      const text = tableOf(
        keys,
        {
          ID: ({ id }) => id,
          PARTNER: ({ partner_name }) => partner_name,
          KEY: ({ hint }) => hint,
          LABEL: ({ label }) => label || '-',
          MERCHANT: ({ merchant }) => merchant ?? '-',
          SCOPES: ({ scopes }) => scopes.join(','),
          'A MINUTE': ({ requests_per_minute }) => String(requests_per_minute ?? 'no limit'),
          ORIGINS: ({ allowed_origins }) => allowed_origins.join(',') || 'none: servers only',
          'RETURN ORIGINS': ({ return_origins }) => return_origins.join(',') || '-',
          BACKEND: ({ backend }) => (backend ? 'yes' : '-'),
          STATE: (key) => stateOf(key, clock.now()),
          'LAST USED': ({ last_used_at }) => shownInstant(last_used_at, 'never'),
        },
        `No keys. Issue one with 'semana key create --partner ID'.`,
      );
      return { records: keys, text };
    },
  });

async function partnerId(db: Db, wanted: string | undefined): Promise<string | null> {
  if (wanted === undefined) return null;
  const partner = await findPartner(db, wanted);
  if (!partner) throw new CommandFault(`There is no partner '${wanted}'. See 'semana partner list'.`);
  return partner.id;
}

function stateOf(key: Pick<KeyRow, 'revoked_at' | 'expires_at'>, now: Date): string {
  if (key.revoked_at) return `revoked ${shownDay(key.revoked_at)}`;
  if (key.expires_at && key.expires_at <= now) return 'expired';
  if (key.expires_at) return `until ${shownInstant(key.expires_at)}`;
  return 'active';
}
