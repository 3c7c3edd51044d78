import { changingCommand } from '#platform/command-line/changing.ts';
import { type Arguments, CommandFault, readSpan } from '#platform/command-line/command.ts';
import { destructiveCommand } from '#platform/command-line/confirmation.ts';
import { readingCommand, tableOf } from '#platform/command-line/reading.ts';
import { shownDay, shownInstant } from '#platform/command-line/times.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { changeKey, revokeKey, rotateKeyRecorded } from '../manage-keys.ts';
import { type FindSlugs, withSlugs } from '../merchant-directory.ts';
import { type KeyRow, listKeys } from '../store.ts';
import { RETURN_ORIGINS_OPTION, readReturnOrigins } from './key-create.ts';
import { requirePartner } from './partner.ts';

const KEY_ID = { name: 'KEY_ID', help: 'id of the key, see key list' };
const noKey = (id: string) => `There is no key ${id}. See 'semana key list'.`;

const ALL = { offset: 0, limit: 1_000_000 };

export const keyList = (findSlugs: FindSlugs | undefined) =>
  readingCommand({
    name: 'key list',
    summary: 'show API keys, their state and last use',
    options: { partner: { value: 'ID', help: 'only those of this partner (id or name)' } },
    async read({ db, clock }, args) {
      const wanted = args.option('partner');
      const partnerId = wanted === undefined ? null : (await requirePartner(db, wanted)).id;
      const { rows } = await listKeys(db, partnerId, ALL);
      const keys = (await withSlugs(db, rows, findSlugs)).map(({ merchant_id: _, ...key }) => key);
      const text = tableOf(
        keys,
        {
          ID: 'id',
          PARTNER: 'partner_name',
          KEY: 'hint',
          LABEL: ({ label }) => label || '-',
          MERCHANT: 'merchant',
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

function stateOf(key: Pick<KeyRow, 'revoked_at' | 'expires_at'>, now: Date): string {
  if (key.revoked_at) return `revoked ${shownDay(key.revoked_at)}`;
  if (key.expires_at && key.expires_at <= now) return 'expired';
  if (key.expires_at) return `until ${shownInstant(key.expires_at)}`;
  return 'active';
}

export const keyChange = changingCommand({
  name: 'key change',
  summary: 'change where offers of a key may lead back to',
  positionals: [KEY_ID],
  options: { 'return-origins': { ...RETURN_ORIGINS_OPTION, required: true } },
  details: 'Replaces the list; none removes it. For offers that are made from then on.',
  examples: ['semana key change key_01kfx3 --return-origins https://loja.example.com.br'],
  work({ db, config: { mode }, id, change }, args) {
    const given = args.required('return-origins');
    const wanted = { id, return_origins: readReturnOrigins(given === 'none' ? undefined : given, mode) };
    return db.transaction((tx) => changeKey(tx, wanted, { change, mode }));
  },
  none: noKey,
  done: ({ return_origins }, id) =>
    `Offers of key ${id} may lead back to: ${return_origins.join(', ') || 'nowhere'}.`,
});

export const keyRotate = destructiveCommand({
  name: 'key rotate',
  summary: 'issue a successor; the old key works on for a while',
  positionals: [KEY_ID],
  options: {
    overlap: {
      value: 'SPAN',
      help: 'how long both work, e.g. 2h (default 24h; 0m ends the old one at once)',
    },
  },
  examples: ['semana key rotate key_01kfx3 --overlap 2h'],
  destroys: (args) => (overlapOf(args) === 0 ? `Key ${args.positionals[0]} ends for good, now.` : undefined),
  async run(context, args) {
    const { db, config, print, printError } = context;
    const [id] = args.positionals as [string];
    const how = { change: changeByCommand(context, 'key rotate'), mode: config.mode };
    const rotated = await db.transaction((tx) => rotateKeyRecorded(tx, id, overlapOf(args), how));
    if (!rotated) throw new CommandFault(noKey(id));
    printError(`Key ${rotated.issued.id} issued. Keep it now: it is not shown again.`);
    printError(`The old key works until ${shownInstant(rotated.oldExpiresAt)}.`);
    print(rotated.issued.secret);
  },
});

const overlapOf = (args: Arguments): number => readSpan(args.option('overlap') ?? '24h', 'overlap');

export const keyRevoke = changingCommand({
  name: 'key revoke',
  summary: 'end a key now, on every node, within a second',
  positionals: [KEY_ID],
  destroys: ({ positionals: [id] }) => `Key ${id} ends for good, now.`,
  work: ({ db, id, change }) => db.transaction((tx) => revokeKey(tx, id, change)),
  none: noKey,
  done: (_key, id) => `Key ${id} is revoked.`,
});
