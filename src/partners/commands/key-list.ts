import { type Command, CommandFault, table } from '#platform/command.ts';
import { findPartner, type KeyRow, listKeys } from '../store.ts';

export const keyList: Command = {
  name: 'key list',
  summary: 'show API keys, their state and last use',
  options: {
    partner: { value: 'ID', help: 'only those of this partner (id or name)' },
    json: { help: 'one JSON object a line, for scripts' },
  },
  async run({ db, clock, print }, args) {
    const keys = await listKeys(db, await partnerId(args.option('partner')));
    if (args.has('json')) {
      for (const { hash: _, ...key } of keys as Array<KeyRow & { hash?: Buffer }>) print(JSON.stringify(key));
    } else if (keys.length === 0) {
      print(`No keys. Issue one with 'semana key create --partner ID'.`);
    } else {
      print(
        table(
          ['ID', 'PARTNER', 'KEY', 'LABEL', 'SCOPES', 'A MINUTE', 'ORIGINS', 'BACKEND', 'STATE', 'LAST USED'],
          keys.map((key) => [
            key.id,
            key.partner_name,
            key.hint,
            key.label || '-',
            key.scopes.join(','),
            String(key.requests_per_minute ?? 'no limit'),
            key.allowed_origins.join(',') || 'none: servers only',
            key.backend ? 'yes' : '-',
            stateOf(key, clock.now()),
            key.last_used_at?.toISOString().slice(0, 19) ?? 'never',
          ]),
        ),
      );
    }
    return undefined;

    async function partnerId(wanted: string | undefined): Promise<string | null> {
      if (wanted === undefined) return null;
      const partner = await findPartner(db, wanted);
      if (!partner) throw new CommandFault(`There is no partner '${wanted}'. See 'semana partner list'.`);
      return partner.id;
    }
  },
};

function stateOf(key: KeyRow, now: Date): string {
  if (key.revoked_at) return `revoked ${key.revoked_at.toISOString().slice(0, 10)}`;
  if (key.expires_at && key.expires_at <= now) return 'expired';
  if (key.expires_at) return `until ${key.expires_at.toISOString().slice(0, 16)}`;
  return 'active';
}
