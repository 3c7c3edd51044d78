import { type Command, table } from '#platform/command.ts';
import { rotateSigningKeys } from '../tokens/rotate-keys.ts';
import { listSigningKeys, type SigningKeyRow } from '../tokens/store.ts';

export const tokenKeyRotate: Command = {
  name: 'token-key rotate',
  summary: 'sign tokens with a new key; nobody is logged out',
  options: {
    now: { help: 'retire the old key at once, e.g. when it leaked: every token must be refreshed' },
  },
  details:
    'The new key is published now and signs from a minute later. The old one is accepted until its last token has expired.',
  async run({ db, clock, print, vault }, args) {
    const rotation = await rotateSigningKeys(db, { vault, clock }, { atOnce: args.has('now') });
    print(
      `Key ${rotation.kid} signs from ${rotation.signsFrom.toISOString()}; ` +
        `the old one is accepted until ${rotation.oldAcceptedUntil.toISOString()}.`,
    );
    return undefined;
  },
};

export const tokenKeyList: Command = {
  name: 'token-key list',
  summary: 'show the keys that tokens are signed with',
  options: { json: { help: 'one JSON object a line, for scripts' } },
  async run({ db, clock, print }, args) {
    const keys = await listSigningKeys(db);
    const now = clock.now();
    if (args.has('json')) {
      for (const { private_sealed: _, ...key } of keys) print(JSON.stringify(key));
    } else if (keys.length === 0) {
      print('No keys yet. The service makes the first one when it starts.');
    } else {
      print(
        table(
          ['ID', 'SIGNS FROM', 'ACCEPTED UNTIL', 'STATE'],
          keys.map((key) => [
            key.kid,
            key.signs_from.toISOString().slice(0, 19),
            key.accepted_until?.toISOString().slice(0, 19) ?? '-',
            stateOf(key, keys, now),
          ]),
        ),
      );
    }
    return undefined;
  },
};

function stateOf(key: SigningKeyRow, keys: SigningKeyRow[], now: Date): string {
  if (key.accepted_until && key.accepted_until <= now) return 'retired';
  if (key.signs_from > now) return 'to come';
  const isNewest = key === keys.findLast((other) => other.signs_from <= now);
  return isNewest ? 'signs' : 'accepted';
}
