import { isCallExpression, isPropertyAccessExpression, type Node } from 'typescript/unstable/ast';
import { Column, Columns } from '#platform/database/columns.ts';
import { fragment } from '#platform/database/sql.ts';
import { type Compiler, readNodeText } from './compiler.ts';
import type { SqlValue, Value } from './values.ts';

/** `columns.values(row)`, `columns.of('c')` and the like: as the program makes them, from the types alone. */
export function buildColumnsSql(
  compiler: Compiler,
  node: Node,
  evaluate: (part: Node) => Value,
): SqlValue | undefined {
  const access = isCallExpression(node) ? node.expression : node;
  if (!isPropertyAccessExpression(access)) return undefined;
  const declared = compiler.columnsOf(access.expression);
  if (!declared) return undefined;
  const made = new Columns(
    Object.fromEntries(declared.map(({ column, databaseType }) => [column, new Column(databaseType)])),
  );
  if (!isCallExpression(node)) return { kind: 'sql', strings: made.excluded.strings, params: [] };
  const method = access.name.text;
  if (method === 'selectFrom' || method === 'jsonPairs') {
    const alias = readNodeText(node.arguments[0]!).slice(1, -1);
    const listed = declared.map((one) => ({ ...one, alias }));
    return { kind: 'sql', strings: made[method](alias).strings, params: [], listed };
  }
  if (method === 'values') {
    const params = declared.map(({ column, type }) => ({ type, text: column }));
    return { kind: 'sql', strings: made.values({}).strings, params, listed: declared };
  }
  const [rows, first] = node.arguments;
  const owner = first && (evaluate(first) as SqlValue);
  const { strings } = made.valuesFromJson([] as never, owner && fragment(owner.strings));
  const json = { type: compiler.checker.getStringType(), text: readNodeText(rows!) };
  return { kind: 'sql', strings, params: [...(owner?.params ?? []), json], listed: declared };
}
