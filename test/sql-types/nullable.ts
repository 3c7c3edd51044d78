import { isTreeNode, listTreeNodes, type Tree, type TreeNode } from './node-tree.ts';

/**
 * 'absent row': null if an outer join finds no row. 'unknown': depends on the rows or on a function, so any type is accepted.
 */
export type Nullability = 'nullable' | 'absent row' | 'unknown' | 'not null';

export type Catalog = {
  /** Returns whether a column is `not null`, by the oid of its table and its number. */
  isNotNull(table: string, column: string): boolean;
  /** Returns whether a function is strict, which means that it returns null for a null argument. */
  isStrict(functionOid: string): boolean;
  getFunctionName(functionOid: string): string;
  /** Returns whether the program may pass null for `$n`. */
  isNullableParam(number: string): boolean;
};

// The numbers of PostgreSQL's enums, which a parse tree has instead of names.
const SELECT_COMMAND = '1';
const INNER_JOIN = '0';
const IS_NOT_NULL = '1';
const TABLE_KINDS = { relation: '0', subquery: '1', join: '2', withQuery: '6', group: '9' } as const;
const SUBQUERY_KINDS = { exists: '0', scalar: '4', array: '6' } as const;

/** Returns whether a set of numbers has any: the tree of a set is `(b 1 2)`, with a letter before the numbers. */
const hasElements = (tree: Tree | undefined): boolean =>
  tree !== null && tree !== undefined && !(Array.isArray(tree) && tree.length <= 1);
const NULLABILITIES_DESCENDING = ['nullable', 'absent row', 'unknown', 'not null'] as const;
const findMostNullable = (nullabilities: readonly Nullability[]): Nullability =>
  NULLABILITIES_DESCENDING.find((nullability) => nullabilities.includes(nullability)) ?? 'not null';
const findLeastNullable = (nullabilities: readonly Nullability[]): Nullability =>
  NULLABILITIES_DESCENDING.findLast((nullability) => nullabilities.includes(nullability)) ?? 'unknown';

/** Returns name and nullability of the columns of a query's result. */
export function findResultColumns(
  query: TreeNode,
  catalog: Catalog,
): Array<{ name: string; nullability: Nullability }> {
  const scope = new Scope(query, catalog);
  return scope.targets.map((target, i) => ({
    name: String(target.resname),
    nullability: scope.findColumnNullability(i),
  }));
}

/** A query and the queries around it, whose columns it may name. Trees have the names of PostgreSQL's parse nodes. */
class Scope {
  readonly #query: TreeNode;
  readonly #catalog: Catalog;
  readonly #outer: Scope | undefined;
  readonly #nonNullColumns: ReadonlySet<string>;

  constructor(query: TreeNode, catalog: Catalog, outer?: Scope) {
    this.#query = query;
    this.#catalog = catalog;
    this.#outer = outer;
    this.#nonNullColumns = new Set(
      this.#listConditions(query.jointree).flatMap((condition) => this.#findNonNullColumns(condition)),
    );
  }

  /** Returns the result columns of the query; of an insert, update or delete the columns of `returning`. */
  get targets(): readonly TreeNode[] {
    const isSelect = this.#query.commandType === SELECT_COMMAND;
    const entries = listTreeNodes(isSelect ? this.#query.targetList : this.#query.returningList);
    return entries.filter((target) => target.resjunk !== 'true');
  }

  /** Returns the nullability of a result column, by its index from 0. */
  findColumnNullability(i: number): Nullability {
    if (isTreeNode(this.#query.setOperations))
      return findMostNullable(
        this.#listBranches(this.#query.setOperations).map((branch) => branch.findColumnNullability(i)),
      );
    const expr = this.targets[i]?.expr;
    return isTreeNode(expr) ? this.findNullability(expr) : 'unknown';
  }

  /** Returns the queries that `union`, `intersect` or `except` combines. */
  #listBranches(tree: Tree | undefined): Scope[] {
    if (!isTreeNode(tree)) return [];
    if (tree.tag !== 'RANGETBLREF')
      return [...this.#listBranches(tree.larg), ...this.#listBranches(tree.rarg)];
    return [new Scope(this.#tables[Number(tree.rtindex) - 1]!.subquery as TreeNode, this.#catalog, this)];
  }

  get #tables(): readonly TreeNode[] {
    return listTreeNodes(this.#query.rtable);
  }

  findNullability(expr: TreeNode): Nullability {
    switch (expr.tag) {
      case 'VAR':
        return this.#findVarNullability(expr);
      case 'CONST':
        return expr.constisnull === 'true' ? 'nullable' : 'not null';
      case 'PARAM':
        return this.#catalog.isNullableParam(String(expr.paramid)) ? 'nullable' : 'not null';
      case 'RELABELTYPE':
      case 'COERCEVIAIO':
      case 'ARRAYCOERCEEXPR':
        return this.findNullability(expr.arg as TreeNode);
      case 'NULLTEST':
      case 'BOOLEANTEST':
      case 'ARRAYEXPR':
      case 'ARRAY':
      case 'ROWEXPR':
      case 'DISTINCTEXPR':
      case 'SQLVALUEFUNCTION':
        return 'not null';
      case 'COALESCEEXPR':
      case 'COALESCE':
      case 'MINMAXEXPR':
      case 'MINMAX':
        return findLeastNullable(listTreeNodes(expr.args).map((arg) => this.findNullability(arg)));
      case 'CASEEXPR':
      case 'CASE': {
        const results = [...listTreeNodes(expr.args).map((when) => when.result), expr.defresult];
        return findMostNullable(
          results.map((result) => (isTreeNode(result) ? this.findNullability(result) : 'nullable')),
        );
      }
      case 'AGGREF':
        return this.#findAggregateNullability(expr);
      case 'OPEXPR':
      case 'FUNCEXPR':
        return this.#findCallNullability(String(expr.opfuncid ?? expr.funcid), listTreeNodes(expr.args));
      case 'SUBLINK':
        return this.#findSubqueryNullability(expr);
      default:
        return 'unknown';
    }
  }

  #findVarNullability(expr: TreeNode): Nullability {
    const scope = this.#findEnclosingScope(Number(expr.varlevelsup));
    if (scope.#nonNullColumns.has(buildColumnId(expr))) return 'not null';
    const columnNullability = scope.#findTableColumnNullability(
      scope.#tables[Number(expr.varno) - 1],
      Number(expr.varattno),
    );
    return hasElements(expr.varnullingrels)
      ? findMostNullable([columnNullability, 'absent row'])
      : columnNullability;
  }

  #findTableColumnNullability(table: TreeNode | undefined, column: number): Nullability {
    if (!table || column < 1) return 'unknown';
    switch (table.rtekind) {
      case TABLE_KINDS.relation:
        if (table.relkind !== 'r') return 'unknown';
        return this.#catalog.isNotNull(String(table.relid), String(column)) ? 'not null' : 'nullable';
      case TABLE_KINDS.subquery:
        return new Scope(table.subquery as TreeNode, this.#catalog, this).findColumnNullability(column - 1);
      case TABLE_KINDS.join: {
        const mergedColumn = listTreeNodes(table.joinaliasvars)[column - 1];
        return mergedColumn ? this.findNullability(mergedColumn) : 'unknown';
      }
      case TABLE_KINDS.withQuery:
        return this.#findCteColumnNullability(table, column);
      case TABLE_KINDS.group: {
        const groupedExpression = listTreeNodes(table.groupexprs)[column - 1];
        return groupedExpression ? this.findNullability(groupedExpression) : 'unknown';
      }
      default:
        return 'unknown';
    }
  }

  #findEnclosingScope(levels: number): Scope {
    return levels === 0 ? this : this.#outer!.#findEnclosingScope(levels - 1);
  }

  /** Returns the nullability of a column of a `with` query. */
  #findCteColumnNullability(table: TreeNode, column: number): Nullability {
    const scope = this.#findEnclosingScope(Number(table.ctelevelsup));
    const cte = listTreeNodes(scope.#query.cteList).find(({ ctename }) => ctename === table.ctename);
    if (!cte || cte.cterecursive === 'true') return 'unknown';
    return new Scope(cte.ctequery as TreeNode, this.#catalog, scope).findColumnNullability(column - 1);
  }

  #findCallNullability(oid: string, args: readonly TreeNode[]): Nullability {
    const argsNullability = findMostNullable(args.map((arg) => this.findNullability(arg)));
    return this.#catalog.isStrict(oid) && argsNullability !== 'not null' ? argsNullability : 'unknown';
  }

  /** An aggregate of no rows is null, except `count`; any other aggregate is null if all its values are. */
  #findAggregateNullability(expr: TreeNode): Nullability {
    if (this.#catalog.getFunctionName(String(expr.aggfnoid)) === 'count') return 'not null';
    if (listTreeNodes(this.#query.groupClause).length === 0) return 'nullable';
    if (isTreeNode(expr.aggfilter)) return 'nullable';
    if (/^(json|array)/.test(this.#catalog.getFunctionName(String(expr.aggfnoid)))) return 'not null';
    return findMostNullable(
      listTreeNodes(expr.args).map(({ expr: arg }) => this.findNullability(arg as TreeNode)),
    );
  }

  /** `exists` and `array(...)` are never null; `any` and `all` are unknown. A scalar subquery is null if its column is, or if it has no row, which is unknown. */
  #findSubqueryNullability(expr: TreeNode): Nullability {
    const { exists, scalar, array } = SUBQUERY_KINDS;
    if (expr.subLinkType === exists || expr.subLinkType === array) return 'not null';
    if (expr.subLinkType !== scalar) return 'unknown';
    const subquery = new Scope(expr.subselect as TreeNode, this.#catalog, this);
    const nullability = subquery.findColumnNullability(0);
    return nullability === 'not null' ? 'unknown' : nullability;
  }

  /** Lists the conditions of `where` and of inner joins. */
  #listConditions(tree: Tree | undefined): TreeNode[] {
    if (!isTreeNode(tree)) return [];
    if (tree.tag === 'FROMEXPR')
      return [
        ...listTreeNodes(tree.fromlist).flatMap((item) => this.#listConditions(item)),
        ...splitConjunction(tree.quals),
      ];
    if (tree.tag !== 'JOINEXPR' || tree.jointype !== INNER_JOIN) return [];
    return [
      ...this.#listConditions(tree.larg),
      ...this.#listConditions(tree.rarg),
      ...splitConjunction(tree.quals),
    ];
  }

  /** Finds the columns that are not null in rows for which the condition is true. */
  #findNonNullColumns(condition: TreeNode): string[] {
    if (condition.tag === 'NULLTEST' && condition.nulltesttype === IS_NOT_NULL)
      return findColumns([condition.arg!]);
    const isComparison = condition.tag === 'OPEXPR' || condition.tag === 'SCALARARRAYOPEXPR';
    if (!isComparison || !this.#catalog.isStrict(String(condition.opfuncid))) return [];
    return findColumns(listTreeNodes(condition.args));
  }
}

const buildColumnId = ({ varno, varattno }: TreeNode): string => `${varno} ${varattno}`;

const findColumns = (args: readonly Tree[]): string[] =>
  args.filter(isTreeNode).flatMap((arg) => {
    if (arg.tag === 'RELABELTYPE') return findColumns([arg.arg!]);
    return arg.tag === 'VAR' && arg.varlevelsup === '0' ? [buildColumnId(arg)] : [];
  });

/** Splits `a and b and c`. */
function splitConjunction(quals: Tree | undefined): TreeNode[] {
  if (!isTreeNode(quals)) return [];
  if (quals.tag === 'BOOLEXPR' && quals.boolop === 'and')
    return listTreeNodes(quals.args).flatMap(splitConjunction);
  return [quals];
}
