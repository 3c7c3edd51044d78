import { type Command, CommandError } from '#platform/command-line/command.ts';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { listNodesWithoutKey } from '#platform/jobs/job-overview.ts';
import { auditContextForCommand, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import type { PersonalData } from '#platform/privacy/personal-data.ts';
import { reencrypt } from '../reencrypt.ts';

export const reencryptCommand = (personalData: () => readonly PersonalData[]): Command => ({
  name: 'reencrypt',
  summary: 'reencrypt personal data with the first key of DATA_KEYS',
  options: {
    all: { help: 'include data that already uses that key: required after a change of LOOKUP_KEY' },
  },
  details:
    'To change the key: add the new key at the end of DATA_KEYS on every node, then move it to the front on every node, ' +
    'then run this command, then remove the old key. Can run while the service runs, and can be repeated.',
  allowsNewLookupKey: (args) => args.has('all'),
  async run(context, args) {
    const { db, print, vault } = context;
    const nodes = await listNodesWithoutKey(db, vault.version);
    if (nodes.length > 0)
      throw new CommandError(
        `These running nodes do not have version ${vault.version} of DATA_KEYS and could not read the data: ${nodes.join(', ')}. ` +
          'Add the key to DATA_KEYS of every node, restart them, and run this command again. Nothing was changed.',
      );
    const bar = new ProgressBar('Encrypting');
    const rows = await reencrypt(db, vault, {
      all: args.has('all'),
      personalData: personalData(),
      onProgress: (done, total) => bar.show(done / total, `${done} of ${total} tables`),
    });
    bar.clear();
    const auditContext = auditContextForCommand(context, 'reencrypt');
    await db.transaction((tx) =>
      recordAuditEntry(
        tx,
        auditContext,
        { kind: 'data_key', id: String(vault.version) },
        { key_version: vault.version, rows },
      ),
    );
    const counts = Object.entries(rows).map(([table, count]) => `${count} ${table.replaceAll('_', ' ')}`);
    print(`Reencrypted ${counts.join(', ') || 'nothing: everything uses this key'}.`);
  },
});
