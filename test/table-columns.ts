import pg from 'pg';
import { readSources } from './source.ts';
import { listTableOwners } from './table-owners.ts';

type Table = {
  name: string;
  columns: Array<{ name: string; type: string; isNullable: boolean }>;
  checks: string[];
};

const TABLES = `
  select relname as name,
         (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, null),
                                            'isNullable', not attnotnull) order by attnum)
          from pg_attribute where attrelid = pg_class.oid and attnum > 0 and not attisdropped) as columns,
         coalesce((select json_agg(pg_get_constraintdef(pg_constraint.oid) order by conname)
                   from pg_constraint where conrelid = pg_class.oid and contype = 'c'), '[]') as checks
  from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
  order by relname collate "C"`;

/** The methods of `column` for types whose name is not that of the method. */
const COLUMN_METHODS: Record<string, string> = {
  'timestamp with time zone': 'timestamptz',
  'text[]': 'textArray',
};
/** Types whose name is that of the method of `column`. */
const PLAIN_TYPES = ['text', 'date', 'bigint', 'integer', 'smallint', 'numeric', 'boolean', 'bytea', 'jsonb'];

/** Returns the text of generated/tables.ts for each module that imports it, by the path of that file. */
export async function renderTableColumns(databaseUrl: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<Table>(TABLES);
    const owners = listTableOwners();
    const importers = readSources().filter(({ text }) => text.includes(`generated/tables.ts';`));
    const modules = new Set(importers.flatMap(({ topDirectory }) => topDirectory ?? []));
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
