import {
  destructiveCommand,
  formatInstant,
  layOutTable,
  queryCommand,
} from '#platform/command-line/command.ts';
import { createCommandAuditContext } from '#platform/privacy/audit-trail.ts';
import { listSigningKeys, rotateSigningKeys, type SigningKeyRow } from '../tokens/signing-keys.ts';

export const tokenKeyRotate = destructiveCommand({
  name: 'token-key rotate',
  summary: 'sign tokens with a new key, without ending sessions',
  options: {
    now: { help: 'retire the old key immediately, e.g. after a leak: every token must be refreshed' },
  },
  details:
    'The new key is published immediately and signs from a minute later. The old key is accepted until its last token has expired.',
  describeLoss: (args) => (args.has('now') ? 'Every token in use stops working immediately.' : undefined),
  async run(context, args) {
    const { db, clock, print, vault } = context;
    const auditContext = createCommandAuditContext(context, 'token-key rotate');
    const rotation = await rotateSigningKeys(
      db,
      { vault, clock },
      { retireImmediately: args.has('now'), auditContext },
    );
    print(
      `Key ${rotation.kid} signs from ${formatInstant(rotation.signsFrom)}; ` +
        `the old key is accepted until ${formatInstant(rotation.oldAcceptedUntil)}.`,
    );
  },
});

export const tokenKeyList = queryCommand({
  name: 'token-key list',
  summary: 'list the keys that sign tokens',
  async query({ db, clock }) {
    const signingKeys = await listSigningKeys(db);
    const tableRows = signingKeys.map((key) => [
      key.kid,
      formatInstant(key.signs_from),
      formatInstant(key.accepted_until),
      describeState(key, signingKeys, clock.now()),
    ]);
    const table = layOutTable(['ID', 'SIGNS FROM', 'ACCEPTED UNTIL', 'STATE'], tableRows);
    return {
      records: signingKeys.map(({ private_sealed: _, ...key }) => key),
      text: signingKeys.length > 0 ? table : 'No keys yet. The service creates the first key when it starts.',
    };
  },
});

function describeState(key: SigningKeyRow, keys: SigningKeyRow[], now: Date): string {
  if (key.accepted_until && key.accepted_until <= now) return 'retired';
  if (key.signs_from > now) return 'pending';
  const isNewest = key === keys.findLast((other) => other.signs_from <= now);
  return isNewest ? 'signs' : 'accepted';
}
