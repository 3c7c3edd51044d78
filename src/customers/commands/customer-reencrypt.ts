import type { Command } from '#platform/command-line/command.ts';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import type { PersonalData } from '#platform/privacy/personal-data.ts';
import { changeByCommand, recordCreation } from '#platform/privacy/trail.ts';
import { reencrypt } from '../reencrypt.ts';

export const customerReencrypt = (personalData: () => readonly PersonalData[]): Command => ({
  name: 'customer reencrypt',
  summary: 'encrypt personal data with the first of DATA_KEYS',
  options: { all: { help: 'also what has that key already: needed after a change of LOOKUP_KEY' } },
  details:
    'To change the key: add the new one at the end of DATA_KEYS on every node, then move it to the front on every node, ' +
    'then run this, then remove the old one. Safe beside the running service, and safe to repeat.',
  mayChangeLookupKey: (args) => args.has('all'),
  async run(context, args) {
    const { db, print, vault } = context;
    const bar = new ProgressBar('Encrypting');
    const { customers, keys, others } = await reencrypt(db, vault, {
      all: args.has('all'),
      personalData: personalData(),
      onProgress: (done, total) => bar.show(done / total, `${done} of ${total}`),
    });
    bar.clear();
    const did = { key_version: vault.version, customers, signing_keys: keys, others };
    const change = changeByCommand(context, 'customer reencrypt');
    await db.transaction((tx) =>
      recordCreation(tx, change, { kind: 'data_key', id: String(vault.version) }, did),
    );
    print(
      `Encrypted anew: ${customers} customers, ${keys} signing keys, ${others} leads, offers and invitations.`,
    );
  },
});
