import pg from 'pg';
import { readSources } from './source.ts';
import { listTableOwners } from './table-owners.ts';

type Table = {
  name: string;
  columns: Array<{ name: string; type: string; isNullable: boolean }>;
  checks: string[];
};

const TABLES = `
  select c.relname as name,
         (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null),
                                            'isNullable', not a.attnotnull) order by a.attnum)
          from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
         coalesce((select json_agg(pg_get_constraintdef(k.oid) order by k.conname)
                   from pg_constraint k where k.conrelid = c.oid and k.contype = 'c'), '[]') as checks
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  order by c.relname collate "C"`;

const COLUMN_METHODS: Record<string, string> = {
  'timestamp with time zone': 'timestamptz',
  'text[]': 'textArray',
};
const PLAIN_TYPES = ['text', 'date', 'bigint', 'integer', 'smallint', 'numeric', 'boolean', 'bytea', 'jsonb'];

/** Renders the table columns of every module that imports them as TypeScript, by path. */
export async function renderTableColumns(databaseUrl: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<Table>(TABLES);
    const owners = listTableOwners();
    const importers = readSources().filter(({ text }) => text.includes(`generated/tables.ts';`));
    const modules = new Set(importers.flatMap(({ part }) => part ?? []));
    return Object.fromEntries(
      [...modules].map((module) => {
        const tables = rows.filter(({ name }) => owners.get(name) === module);
        return [`src/${module}/generated/tables.ts`, renderTables(tables)];
      }),
    );
  } finally {
    await client.end();
  }
}

const renderTables = (tables: readonly Table[]): string =>
  [
    `// Written by 'npm run generate' from the migrations.\n`,
    `import { column } from '#platform/database/columns.ts';\n\n`,
    tables.map(renderTable).join('\n'),
  ].join('');

const renderTable = ({ name, columns, checks }: Table): string =>
  [
    `export const ${name} = {`,
    ...columns.map((column) => `  ${column.name}: ${renderColumn(column, checks)},`),
    '};\n',
  ].join('\n');

function renderColumn(
  { name, type, isNullable }: Table['columns'][number],
  checks: readonly string[],
): string {
  const method = COLUMN_METHODS[type] ?? (PLAIN_TYPES.includes(type) ? type : undefined);
  const values = checks
    .map((check) => listValues(check, name))
    .find((allowedValues) => allowedValues !== undefined);
  const typeArgument = values === undefined ? '' : `<${values.map((value) => `'${value}'`).join(' | ')}>`;
  const column = method === undefined ? `column.ofType('${type}')` : `column.${method}${typeArgument}()`;
  return isNullable ? `${column}.nullable()` : column;
}

/** Lists the values that a check allows, like CHECK ((status = ANY (ARRAY['pending'::text, 'paid'::text]))). */
function listValues(check: string, column: string): string[] | undefined {
  const match = new RegExp(`^CHECK \\(\\(${column} = ANY \\(ARRAY\\[([^\\]]*)\\]\\)\\)\\)$`).exec(check);
  return match ? Array.from(match[1]!.matchAll(/'([^']*)'::text/g), ([, value]) => value!) : undefined;
}
