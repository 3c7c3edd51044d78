import { isCallExpression, isPropertyAccessExpression, type Node } from 'typescript/unstable/ast';
import { Column, Columns } from '#platform/database/columns.ts';
import { fragment } from '#platform/database/sql.ts';
import { type Compiler, readNodeText } from './compiler.ts';
import type { SqlValue, Value } from './values.ts';

/** Builds the SQL of `columns.values(row)`, `columns.selectFrom('c')` and the like from their types, as the program does. */
export function buildColumnsSql(
  compiler: Compiler,
  node: Node,
  evaluate: (part: Node) => Value,
): SqlValue | undefined {
  const access = isCallExpression(node) ? node.expression : node;
  if (!isPropertyAccessExpression(access)) return undefined;
  const declaredColumns = compiler.findDeclaredColumns(access.expression);
  if (!declaredColumns) return undefined;
  const columns = new Columns(
    Object.fromEntries(declaredColumns.map(({ column, databaseType }) => [column, new Column(databaseType)])),
  );
  if (!isCallExpression(node)) return { kind: 'sql', strings: columns.excluded.strings, params: [] };
  const method = access.name.text;
  if (method === 'selectFrom' || method === 'jsonPairs') {
    const alias = readNodeText(node.arguments[0]!).slice(1, -1);
    const columnsWithAlias = declaredColumns.map((declaredColumn) => ({ ...declaredColumn, alias }));
    return {
      kind: 'sql',
      strings: columns[method](alias).strings,
      params: [],
      declaredColumns: columnsWithAlias,
    };
  }
  if (method === 'values') {
    const params = declaredColumns.map(({ column, type }) => ({ type, text: column }));
    return { kind: 'sql', strings: columns.values({}).strings, params, declaredColumns };
  }
  // The remaining method is `valuesFromJson(rows, owner)`.
  const [rowsArgument, ownerArgument] = node.arguments;
  const owner = ownerArgument && (evaluate(ownerArgument) as SqlValue);
  const { strings } = columns.valuesFromJson([] as never, owner && fragment(owner.strings));
  const json = { type: compiler.checker.getStringType(), text: readNodeText(rowsArgument!) };
  return { kind: 'sql', strings, params: [...(owner?.params ?? []), json], declaredColumns };
}
