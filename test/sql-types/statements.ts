import {
  type CallExpression,
  type Expression,
  isCallExpression,
  isPropertyAccessExpression,
  isTaggedTemplateExpression,
  type Node,
} from 'typescript/unstable/ast';
import { type Signature, type Type, TypeFlags } from 'typescript/unstable/sync';
import {
  buildNodeKey,
  type Compiler,
  type FunctionNode,
  formatLocation,
  isUnknown,
  readNodeText,
} from './compiler.ts';
import { Evaluator } from './evaluate.ts';
import {
  Env,
  type FunctionValue,
  type Listed,
  NeedsCaller,
  type Param,
  type SqlValue,
  Unresolved,
  type Value,
} from './values.ts';

/** A statement as it is sent to the database. */
export type FoundStatement = {
  /** Where it is run, e.g. 'src/pix/store/charges.ts:95', and the callers that determine its text. */
  readonly place: string;
  readonly text: string;
  readonly params: readonly Param[];
  /** The declared type of its rows; undefined if rows are not read. */
  readonly row: Type | undefined;
  /** `row` is the type of the only column: see `values`. */
  readonly isValue: boolean;
  /** Its rows are assigned to callers by `customer_id`: see `batchable`. */
  readonly isBatched: boolean;
  /** The columns that it lists by their declaration. */
  readonly listed: readonly Listed[];
};

export type Found = {
  readonly statements: FoundStatement[];
  /** Calls whose text could not be determined. */
  readonly unresolved: string[];
  /** `sql` templates that are part of no statement. */
  readonly unused: string[];
};

const METHODS = new Set(['rows', 'row', 'values', 'value', 'run', 'write']);
const LISTS = new Set(['rows', 'values']);

/** Every statement that these files run. */
export function findStatements(compiler: Compiler, paths: readonly string[]): Found {
  const evaluator = new Evaluator(compiler, findProvided(compiler));
  const statements = new Map<string, FoundStatement>();
  const unresolved = new Set<string>();
  const nodes = paths.flatMap((path) => compiler.listNodes(path));
  for (const call of nodes.filter(isCallExpression).filter((node) => isRun(compiler, node)))
    for (const found of new Site(compiler, evaluator, call, unresolved).find())
      statements.set(`${found.place} ${found.text} ${found.row?.id}`, found);
  const unused = nodes
    .filter(isTaggedTemplateExpression)
    .filter((node) => readNodeText(node.tag) === 'sql' && !evaluator.used.has(buildNodeKey(node)))
    .map(formatLocation);
  return { statements: [...statements.values()], unresolved: [...unresolved], unused };
}

/** SQL that one module provides to another (`bindService(creditUsage, creditUsed)`), by the name of its type. */
function findProvided(compiler: Compiler): Map<string, Node> {
  const calls = compiler.program
    .filter(({ path }) => path.endsWith('/module.ts'))
    .flatMap(({ path }) => compiler.listNodes(path))
    .filter(isCallExpression)
    .filter(({ expression }) => readNodeText(expression) === 'bindService');
  return new Map(
    calls.flatMap(({ arguments: [service, value] }) => {
      const [type] = compiler.typeOf(service!).getAliasTypeArguments();
      const name = type?.getAliasSymbol()?.name;
      const declaration = compiler.declarationOf(value!);
      return name && declaration && compiler.mentionsSql(type) ? [[name, declaration] as const] : [];
    }),
  );
}

/** `db.rows(...)` and its like, of a statement. */
function isRun(compiler: Compiler, { expression, arguments: args }: CallExpression): boolean {
  return (
    isPropertyAccessExpression(expression) &&
    METHODS.has(expression.name.text) &&
    args.length === 1 &&
    compiler.mentionsSql(compiler.typeOf(args[0]!)) &&
    compiler.checker.getPropertyOfType(compiler.typeOf(expression.expression), 'vault') !== undefined
  );
}

type Caller = { readonly callee: FunctionNode; readonly call: CallExpression };

/** A call that runs a statement. */
class Site {
  readonly #compiler: Compiler;
  readonly #evaluator: Evaluator;
  readonly #call: CallExpression;
  readonly #unresolved: Set<string>;

  constructor(compiler: Compiler, evaluator: Evaluator, call: CallExpression, unresolved: Set<string>) {
    this.#compiler = compiler;
    this.#evaluator = evaluator;
    this.#call = call;
    this.#unresolved = unresolved;
  }

  /** Finds the statements; if they depend on a function's arguments, once for each caller of that function. */
  find(row = this.#rowType(), callers: readonly Caller[] = []): FoundStatement[] {
    const place = [this.#call, ...callers.map(({ call }) => call)].map(formatLocation).join(', from ');
    try {
      const runs = this.#evaluator.runs(this.#call.arguments[0]!, this.#envOf(callers));
      const found = runs.flatMap((value) => this.#complete(value)).toArray();
      if (row?.isTypeParameter()) throw new Unresolved('what its rows are is not known');
      const isValue = this.#method().startsWith('value');
      return found.map((one) => ({ ...one, place, row, isValue }));
    } catch (error) {
      if (!(error instanceof NeedsCaller || error instanceof Unresolved)) throw error;
      const callee = error instanceof NeedsCaller ? error.callee : undefined;
      const calls =
        callee && !callers.some((known) => known.callee === callee) ? this.#compiler.callsOf(callee) : [];
      if (calls.length === 0) this.#unresolved.add(`${place}: ${error.message}`);
      return calls.flatMap((call) =>
        this.find(row && this.#instantiate(row, call), [...callers, { callee: callee!, call }]),
      );
    }
  }

  #envOf(callers: readonly Caller[]): Env {
    const env = new Env();
    for (const { callee, call } of callers)
      for (const [i, parameter] of callee.parameters.entries()) {
        const given = call.arguments[i] ?? parameter.initializer;
        env.bind(parameter, () => (given ? this.#evaluator.evaluate(given, env) : { kind: 'undefined' }));
      }
    return env;
  }

  #complete(value: Value): Array<Pick<FoundStatement, 'text' | 'params' | 'isBatched' | 'listed'>> {
    const isBatched = value.kind === 'batch row';
    const statements = isBatched ? this.#batches(value.build) : [value];
    return statements.map((statement) => {
      if (statement.kind !== 'sql') throw new Unresolved(`${readNodeText(this.#call)} is not followed`);
      const text = statement.strings.reduce((all, part, i) => `${all}$${i}${part}`);
      return { text, params: statement.params, isBatched, listed: statement.listed ?? [] };
    });
  }

  /** The statements that `buildBatch` makes for several customers, and for one. */
  #batches(build: FunctionValue): Value[] {
    const { checker } = this.#compiler;
    const rows: Value = { kind: 'opaque', param: { type: checker.getUnknownType(), text: 'rows' } };
    const id = { type: checker.getStringType(), text: 'customerId' };
    const owners: SqlValue[] = [
      { kind: 'sql', strings: ['k.customer_id'], params: [] },
      { kind: 'sql', strings: ['', '::text'], params: [id] },
    ];
    return owners.map((owner) => this.#evaluator.apply(build, [() => rows, () => owner]));
  }

  #method(): string {
    return (this.#call.expression as Expression & { name: { text: string } }).name.text;
  }

  /** `R` of `Promise<R[]>` or `Promise<R | undefined>`; `run` and `write` have none. */
  #rowType(): Type | undefined {
    const { checker } = this.#compiler;
    const method = this.#method();
    if (method === 'run' || method === 'write') return undefined;
    const [answer] = checker.getTypeArguments(this.#compiler.typeOf(this.#call) as never);
    const row = LISTS.has(method)
      ? checker.getTypeArguments(answer as never)[0]!
      : this.#withoutUndefined(answer!);
    return isUnknown(row) && !row.isTypeParameter() ? undefined : row;
  }

  /** `R` of `R | undefined`, a type parameter as it is. */
  #withoutUndefined(type: Type): Type {
    const [firstType, ...others] = type.isUnionType()
      ? type.getTypes().filter(({ flags }) => !(flags & TypeFlags.Undefined))
      : [type];
    return others.length === 0 ? firstType! : this.#compiler.checker.getNonNullableType(type)!;
  }

  /** The type argument of this call for a type parameter of the called function. */
  #instantiate(row: Type, call: CallExpression): Type {
    if (!row.isTypeParameter()) return row;
    const { checker } = this.#compiler;
    const used = checker.getResolvedSignature(call)!;
    const declared = checker.getSignaturesOfType(this.#compiler.typeOf(call.expression), 0)[0]!;
    const places = [
      checker.getReturnTypeOfSignature,
      ...call.arguments.map(
        (_argument, i) => (signature: Signature) => checker.getParameterType(signature, i),
      ),
    ];
    for (const at of places) {
      const foundType = this.#match(row, at.call(checker, declared)!, at.call(checker, used)!);
      if (foundType) return foundType;
    }
    return row;
  }

  /** Finds in `used` the type at the place of `wanted` in `declared`. */
  #match(wanted: Type, declared: Type, used: Type): Type | undefined {
    if (declared.id === wanted.id) return used;
    if (declared.isUnionType() && declared.getTypes().some(({ id }) => id === wanted.id))
      return this.#withoutUndefined(used);
    const argumentsOf = (type: Type): readonly Type[] => {
      const ofAlias = type.getAliasTypeArguments();
      if (ofAlias.length > 0 || !type.isTypeReference()) return ofAlias;
      return this.#compiler.checker.getTypeArguments(type);
    };
    const inUse = argumentsOf(used);
    for (const [i, one] of argumentsOf(declared).entries()) {
      const foundType = inUse[i] && this.#match(wanted, one, inUse[i]);
      if (foundType) return foundType;
    }
    return undefined;
  }
}
