import type { ManifestCommand } from './manifest.ts';

// The names of the commands until 0.2.0. They answer with the new name, in this release only.

const RENAMED: Readonly<Record<string, string>> = {
  'agreement publish': 'agreements create',
  'autopay debits': 'autopay debits list',
  'credit-policy set': 'credit-policy update',
  'customer note': 'customers notes create',
  'customer phone-cancel': 'customers phone-change cancel',
  'customer phone-confirm': 'customers phone-change confirm',
  'customer reencrypt': 'reencrypt',
  'member add': 'merchants members create',
  'member list': 'merchants members list',
  'member remove': 'merchants members delete',
  'message failures': 'messages list --status failed',
  'message templates': 'message-templates list',
  'payout account-stop': 'merchants payout-account change delete',
  'pix charges': 'pix charges list',
  'pix discrepancies': 'pix discrepancies list',
  'pix orphan assign': 'pix orphans assign',
  'pix orphan refund': 'pix orphans refund',
  'pix orphans': 'pix orphans list',
  'pix payment move': 'pix payments move',
  'pix payments': 'pix payments list',
  'pix refunds': 'pix refunds list',
  'staff role': 'staff update',
  'webhook deliveries': 'webhooks deliveries list',
};

const VERBS: Readonly<Record<string, string>> = {
  show: 'get',
  change: 'update',
  remove: 'delete',
  add: 'create',
};

export function findNewName(
  commands: readonly ManifestCommand[],
  words: readonly string[],
): { text: string; code: number } | undefined {
  const [resource = '', verb = ''] = words;
  const listed = Object.keys(RENAMED)
    .toSorted((a, b) => b.length - a.length)
    .find((name) => name.split(' ').every((word, i) => words[i] === word));
  const candidates = listed
    ? [RENAMED[listed]!]
    : [
        `${resource}s ${VERBS[verb] ?? verb}`,
        `${resource} ${VERBS[verb] ?? verb}`,
        `${verb} ${VERBS[resource]}`,
      ];
  const newName = candidates.find((name) =>
    commands.some((command) => `${command.name} `.startsWith(`${name.split(' --')[0]} `)),
  );
  if (newName === undefined || newName === `${resource} ${verb}`) return undefined;
  const oldName = listed ?? `${resource} ${verb}`;
  return {
    text: `'${oldName}' is now '${newName}'. See 'semana ${newName.split(' --')[0]} --help'.`,
    code: 2,
  };
}
