import { readSources } from './source.ts';

/** Modules that were renamed: released migrations keep their file names. */
const FORMER_NAMES: Record<string, string> = {
  approvals: 'staff',
  backoffice: 'back-office',
  delivery: 'webhooks',
};

/**
 * Returns the module that owns each table and view: the name of the migration that creates it begins with that module
 * (migrations/0008_pix.sql, 0014_pix_ids.sql).
 */
export function listTableOwners(): Map<string, string> {
  const sources = readSources();
  const modules = new Set(sources.flatMap(({ topDirectory }) => topDirectory ?? []));
  const ownersByPrefix = new Map([
    ...[...modules].map((name) => [name, name] as const),
    ...Object.entries(FORMER_NAMES),
  ]);
  const owners = new Map<string, string>();
  for (const { path, text } of sources) {
    const [, folder, name] = /^migrations\/(?:(sandbox)\/)?\d{4}_(.*)\.sql$/.exec(path) ?? [];
    if (name === undefined) continue;
    const prefix = [...ownersByPrefix.keys()].find(
      (moduleName) => name === moduleName || name.startsWith(`${moduleName}_`),
    );
    const module = folder ?? ownersByPrefix.get(prefix ?? '');
    for (const [, table] of text.matchAll(/create (?:unlogged )?(?:table|view) (\w+)/g))
      if (module !== undefined) owners.set(table!, module);
  }
  return owners;
}
