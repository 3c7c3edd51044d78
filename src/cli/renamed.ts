import type { ManifestCommand } from './manifest.ts';

// The names that commands had until 0.2.0. In this release only, they print the new name.

const NEW_NAMES: Readonly<Record<string, string>> = {
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

const NEW_VERBS: Readonly<Record<string, string>> = {
  show: 'get',
  change: 'update',
  remove: 'delete',
  add: 'create',
};

/** Removes the options of a name such as `messages list --status failed`. */
const omitOptions = (name: string): string => name.replace(/ --.*/, '');

export function explainRename(
  commands: readonly ManifestCommand[],
  words: readonly string[],
): { text: string; code: number } | undefined {
  const [firstWord = '', secondWord = ''] = words;
  const listedName = Object.keys(NEW_NAMES)
    .toSorted((a, b) => b.length - a.length)
    .find((name) => name.split(' ').every((word, i) => words[i] === word));
  // Other old names are `key create`, now `keys create`; `media add`, now `media create`; or `remove merchants`, now `merchants delete`.
  const candidates = listedName
    ? [NEW_NAMES[listedName]!]
    : [
        `${firstWord}s ${NEW_VERBS[secondWord] ?? secondWord}`,
        `${firstWord} ${NEW_VERBS[secondWord] ?? secondWord}`,
        `${secondWord} ${NEW_VERBS[firstWord]}`,
      ];
  const newName = candidates.find((name) =>
    commands.some((command) => `${command.name} `.startsWith(`${omitOptions(name)} `)),
  );
  if (newName === undefined || newName === `${firstWord} ${secondWord}`) return undefined;
  const oldName = listedName ?? `${firstWord} ${secondWord}`;
  return {
    text: `'${oldName}' is now '${newName}'. See 'semana ${omitOptions(newName)} --help'.`,
    code: 2,
  };
}
