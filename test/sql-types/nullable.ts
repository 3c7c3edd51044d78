import { isNode, nodesIn, type Tree, type TreeNode } from './node-tree.ts';

/**
 * 'absent': null where an outer join finds no row. 'unknown' where it depends on the rows or on a function: then any type is
 * accepted.
 */
export type Nullability = 'nullable' | 'absent' | 'unknown' | 'not null';

export type Catalog = {
  /** Whether a column is `not null`, by the oid of its table and its number. */
  isNotNull(table: string, column: string): boolean;
  /** Whether a function is strict: null for a null argument. */
  isStrict(fn: string): boolean;
  nameOf(fn: string): string;
  /** Whether the program may pass null for `$n`. */
  isNullParam(number: string): boolean;
};

const isSet = (tree: Tree | undefined): boolean =>
  tree !== null && tree !== undefined && !(Array.isArray(tree) && tree.length <= 1);
const WORST_FIRST = ['nullable', 'absent', 'unknown', 'not null'] as const;
const worst = (all: readonly Nullability[]): Nullability =>
  WORST_FIRST.find((one) => all.includes(one)) ?? 'not null';
const best = (all: readonly Nullability[]): Nullability =>
  WORST_FIRST.findLast((one) => all.includes(one)) ?? 'unknown';

/** The columns of a query's result: name and nullability. */
export function findColumnNullability(
  query: TreeNode,
  catalog: Catalog,
): Array<{ name: string; nullability: Nullability }> {
  const scope = new Scope(query, catalog);
  return scope.targets.map((target, i) => ({ name: String(target.resname), nullability: scope.column(i) }));
}

/** A query and its enclosing queries. */
class Scope {
  readonly #query: TreeNode;
  readonly #catalog: Catalog;
  readonly #outer: Scope | undefined;
  readonly #compared: ReadonlySet<string>;

  constructor(query: TreeNode, catalog: Catalog, outer?: Scope) {
    this.#query = query;
    this.#catalog = catalog;
    this.#outer = outer;
    this.#compared = new Set(this.#conditionsOf(query.jointree).flatMap((one) => this.#refutes(one)));
  }

  /** The query's result columns: of an insert, update or delete those of `returning`. */
  get targets(): readonly TreeNode[] {
    const isSelect = this.#query.commandType === '1';
    const all = nodesIn(isSelect ? this.#query.targetList : this.#query.returningList);
    return all.filter((target) => target.resjunk !== 'true');
  }

  column(i: number): Nullability {
    if (isNode(this.#query.setOperations))
      return worst(this.#branchesOf(this.#query.setOperations).map((branch) => branch.column(i)));
    const expr = this.targets[i]?.expr;
    return isNode(expr) ? this.of(expr) : 'unknown';
  }

  /** The branches of `union` and the like. */
  #branchesOf(tree: Tree | undefined): Scope[] {
    if (!isNode(tree)) return [];
    if (tree.tag !== 'RANGETBLREF') return [...this.#branchesOf(tree.larg), ...this.#branchesOf(tree.rarg)];
    return [new Scope(this.#tables[Number(tree.rtindex) - 1]!.subquery as TreeNode, this.#catalog, this)];
  }

  get #tables(): readonly TreeNode[] {
    return nodesIn(this.#query.rtable);
  }

  of(expr: TreeNode): Nullability {
    switch (expr.tag) {
      case 'VAR':
        return this.#ofVar(expr);
      case 'CONST':
        return expr.constisnull === 'true' ? 'nullable' : 'not null';
      case 'PARAM':
        return this.#catalog.isNullParam(String(expr.paramid)) ? 'nullable' : 'not null';
      case 'RELABELTYPE':
      case 'COERCEVIAIO':
      case 'ARRAYCOERCEEXPR':
        return this.of(expr.arg as TreeNode);
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
        return best(nodesIn(expr.args).map((one) => this.of(one)));
      case 'CASEEXPR':
      case 'CASE': {
        const results = [...nodesIn(expr.args).map((when) => when.result), expr.defresult];
        return worst(results.map((result) => (isNode(result) ? this.of(result) : 'nullable')));
      }
      case 'AGGREF':
        return this.#aggregate(expr);
      case 'OPEXPR':
      case 'FUNCEXPR':
        return this.#strict(String(expr.opfuncid ?? expr.funcid), nodesIn(expr.args));
      case 'SUBLINK':
        return this.#subquery(expr);
      default:
        return 'unknown';
    }
  }

  #ofVar(expr: TreeNode): Nullability {
    const scope = this.#up(Number(expr.varlevelsup));
    if (scope.#compared.has(idOf(expr))) return 'not null';
    const own = scope.#tableColumn(scope.#tables[Number(expr.varno) - 1], Number(expr.varattno));
    return isSet(expr.varnullingrels) ? worst([own, 'absent']) : own;
  }

  #tableColumn(table: TreeNode | undefined, column: number): Nullability {
    if (!table || column < 1) return 'unknown';
    switch (table.rtekind) {
      case '0':
        if (table.relkind !== 'r') return 'unknown';
        return this.#catalog.isNotNull(String(table.relid), String(column)) ? 'not null' : 'nullable';
      case '1':
        return new Scope(table.subquery as TreeNode, this.#catalog, this).column(column - 1);
      case '2': {
        const merged = nodesIn(table.joinaliasvars)[column - 1];
        return merged ? this.of(merged) : 'unknown';
      }
      case '6':
        return this.#common(table, column);
      case '9': {
        const grouped = nodesIn(table.groupexprs)[column - 1];
        return grouped ? this.of(grouped) : 'unknown';
      }
      default:
        return 'unknown';
    }
  }

  #up(levels: number): Scope {
    return levels === 0 ? this : this.#outer!.#up(levels - 1);
  }

  /** A column of a `with` query. */
  #common(table: TreeNode, column: number): Nullability {
    const scope = this.#up(Number(table.ctelevelsup));
    const found = nodesIn(scope.#query.cteList).find(({ ctename }) => ctename === table.ctename);
    if (!found || found.cterecursive === 'true') return 'unknown';
    return new Scope(found.ctequery as TreeNode, this.#catalog, scope).column(column - 1);
  }

  #strict(fn: string, args: readonly TreeNode[]): Nullability {
    const given = worst(args.map((one) => this.of(one)));
    return this.#catalog.isStrict(fn) && given !== 'not null' ? given : 'unknown';
  }

  /** Null for no rows, except `count`; otherwise null if all values are. */
  #aggregate(expr: TreeNode): Nullability {
    if (this.#catalog.nameOf(String(expr.aggfnoid)) === 'count') return 'not null';
    if (nodesIn(this.#query.groupClause).length === 0) return 'nullable';
    if (isNode(expr.aggfilter)) return 'nullable';
    if (/^(json|array)/.test(this.#catalog.nameOf(String(expr.aggfnoid)))) return 'not null';
    return worst(nodesIn(expr.args).map(({ expr: arg }) => this.of(arg as TreeNode)));
  }

  /** `exists`, `any`, `array(...)`: never null. A scalar subquery: as its column; whether there is a row is unknown. */
  #subquery(expr: TreeNode): Nullability {
    if (expr.subLinkType === '0' || expr.subLinkType === '6') return 'not null';
    if (expr.subLinkType !== '4') return 'unknown';
    const inner = new Scope(expr.subselect as TreeNode, this.#catalog, this).column(0);
    return inner === 'not null' ? 'unknown' : inner;
  }

  /** The conditions of `where` and inner joins. */
  #conditionsOf(tree: Tree | undefined): TreeNode[] {
    if (!isNode(tree)) return [];
    if (tree.tag === 'FROMEXPR')
      return [...nodesIn(tree.fromlist).flatMap((one) => this.#conditionsOf(one)), ...conjuncts(tree.quals)];
    if (tree.tag !== 'JOINEXPR' || tree.jointype !== '0') return [];
    return [...this.#conditionsOf(tree.larg), ...this.#conditionsOf(tree.rarg), ...conjuncts(tree.quals)];
  }

  /** The columns that cannot be null where this condition holds. */
  #refutes(condition: TreeNode): string[] {
    if (condition.tag === 'NULLTEST' && condition.nulltesttype === '1') return columnsIn([condition.arg!]);
    const isComparison = condition.tag === 'OPEXPR' || condition.tag === 'SCALARARRAYOPEXPR';
    if (!isComparison || !this.#catalog.isStrict(String(condition.opfuncid))) return [];
    return columnsIn(nodesIn(condition.args));
  }
}

const idOf = ({ varno, varattno }: TreeNode): string => `${varno} ${varattno}`;

const columnsIn = (args: readonly Tree[]): string[] =>
  args.filter(isNode).flatMap((arg) => {
    if (arg.tag === 'RELABELTYPE') return columnsIn([arg.arg!]);
    return arg.tag === 'VAR' && arg.varlevelsup === '0' ? [idOf(arg)] : [];
  });

/** The parts of `a and b and c`. */
function conjuncts(quals: Tree | undefined): TreeNode[] {
  if (!isNode(quals)) return [];
  if (quals.tag === 'BOOLEXPR' && quals.boolop === 'and') return nodesIn(quals.args).flatMap(conjuncts);
  return [quals];
}
