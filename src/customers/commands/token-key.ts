import { instant } from '#platform/command-line/cells.ts';
import { destructiveCommand } from '#platform/command-line/confirmation.ts';
import { readingCommand, tableOf } from '#platform/command-line/reading.ts';
import { shownInstant } from '#platform/command-line/times.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { rotateSigningKeys } from '../tokens/rotate-keys.ts';
import { listSigningKeys, type SigningKeyRow } from '../tokens/store.ts';

export const tokenKeyRotate = destructiveCommand({
  name: 'token-key rotate',
  summary: 'sign tokens with a new key; nobody is logged out',
  options: {
    now: { help: 'retire the old key at once, e.g. when it leaked: every token must be refreshed' },
  },
  details:
    'The new key is published now and signs from a minute later. The old one is accepted until its last token has expired.',
  destroys: (args) => (args.has('now') ? 'Every token in use stops working, now.' : undefined),
  async run(context, args) {
    const { db, clock, print, vault } = context;
    const change = changeByCommand(context, 'token-key rotate');
    const rotation = await rotateSigningKeys(db, { vault, clock }, { atOnce: args.has('now'), change });
    print(
      `Key ${rotation.kid} signs from ${shownInstant(rotation.signsFrom)}; ` +
        `the old one is accepted until ${shownInstant(rotation.oldAcceptedUntil)}.`,
    );
  },
});

export const tokenKeyList = readingCommand({
  name: 'token-key list',
  summary: 'show the keys that tokens are signed with',
  async read({ db, clock }) {
    const keys = await listSigningKeys(db);
    const text = tableOf(
      keys,
      {
        ID: 'kid',
        'SIGNS FROM': instant('signs_from'),
        'ACCEPTED UNTIL': instant('accepted_until'),
        STATE: (key) => stateOf(key, keys, clock.now()),
      },
      'No keys yet. The service makes the first one when it starts.',
    );
    return { records: keys.map(({ private_sealed: _, ...key }) => key), text };
  },
});

function stateOf(key: SigningKeyRow, keys: SigningKeyRow[], now: Date): string {
  if (key.accepted_until && key.accepted_until <= now) return 'retired';
  if (key.signs_from > now) return 'to come';
  const isNewest = key === keys.findLast((other) => other.signs_from <= now);
  return isNewest ? 'signs' : 'accepted';
}
