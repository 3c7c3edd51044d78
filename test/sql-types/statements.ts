import {
  type CallExpression,
  type Expression,
  isCallExpression,
  isPropertyAccessExpression,
  isTaggedTemplateExpression,
  type Node,
} from 'typescript/unstable/ast';
import { type Signature, SignatureKind, type Type, TypeFlags } from 'typescript/unstable/sync';
import { noteProgress } from '../hang.ts';
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
  type DeclaredColumn,
  Env,
  type FunctionValue,
  NeedsCaller,
  type Param,
  type SqlValue,
  Unresolved,
  type Value,
} from './values.ts';

/** A statement as the program sends it to the database. */
export type FoundStatement = {
  /** Where the statement is run, such as 'src/pix/store/charges.ts:95', and the callers that determine its text. */
  readonly location: string;
  readonly text: string;
  readonly params: readonly Param[];
  /** The declared type of the rows; undefined if rows are not read. */
  readonly row: Type | undefined;
  /** Whether `row` is the type of the only column, as for `db.values`. */
  readonly isValue: boolean;
  /** Whether the rows are assigned to callers by `customer_id` or `batch_key`: see `batchable`. */
  readonly isBatched: boolean;
  /** The columns that the statement takes from declarations with `columns`. */
  readonly declaredColumns: readonly DeclaredColumn[];
};

export type StatementSearch = {
  readonly statements: FoundStatement[];
  /** Calls whose text could not be determined. */
  readonly unresolved: string[];
  /** `sql` templates that are part of no statement. */
  readonly unused: string[];
};

const RUN_METHODS = new Set(['rows', 'row', 'values', 'value', 'run', 'queueWrite']);
const LIST_METHODS = new Set(['rows', 'values']);

/** Finds every statement that the files run. */
export function findStatements(compiler: Compiler, paths: readonly string[]): StatementSearch {
  const evaluator = new Evaluator(compiler, findProvidedSql(compiler));
  const statements = new Map<string, FoundStatement>();
  const unresolved = new Set<string>();
  const nodes = paths.flatMap((path) => compiler.listNodes(path));
  for (const call of nodes.filter(isCallExpression)) {
    noteProgress(); // the whole search takes half a minute on a busy machine
    if (!runsStatement(compiler, call)) continue;
    for (const statement of new CallSite(compiler, evaluator, call, unresolved).findStatements())
      statements.set(`${statement.location} ${statement.text} ${statement.row?.id}`, statement);
  }
  const unused = nodes
    .filter(isTaggedTemplateExpression)
    .filter((node) => readNodeText(node.tag) === 'sql' && !evaluator.usedTemplates.has(buildNodeKey(node)))
    .map(formatLocation);
  return { statements: [...statements.values()], unresolved: [...unresolved], unused };
}

/** Finds the SQL that one module provides to another (`bindService(creditUsageService, creditUsed)`), by the name of its type. */
function findProvidedSql(compiler: Compiler): Map<string, Node> {
  const calls = compiler.programFiles
    .filter(({ path }) => path.endsWith('/module.ts'))
    .flatMap(({ path }) => compiler.listNodes(path))
    .filter(isCallExpression)
    .filter(({ expression }) => readNodeText(expression) === 'bindService');
  return new Map(
    calls.flatMap(({ arguments: [service, value] }) => {
      const [type] = compiler.getType(service!).getAliasTypeArguments();
      const name = type?.getAliasSymbol()?.name;
      const declaration = compiler.findDeclaration(value!);
      return name && declaration && compiler.containsSql(type) ? [[name, declaration] as const] : [];
    }),
  );
}

/** Returns whether a call runs a statement, like `db.rows(sql...)`. */
function runsStatement(compiler: Compiler, { expression, arguments: args }: CallExpression): boolean {
  return (
    isPropertyAccessExpression(expression) &&
    RUN_METHODS.has(expression.name.text) &&
    args.length === 1 &&
    compiler.containsSql(compiler.getType(args[0]!)) &&
    compiler.checker.getPropertyOfType(compiler.getType(expression.expression), 'vault') !== undefined
  );
}

type Caller = { readonly callee: FunctionNode; readonly call: CallExpression };

/** A call that runs a statement. */
class CallSite {
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

  /** Finds the statements of this call. If they depend on a function's arguments, finds them for each caller of that function. */
  findStatements(row = this.#findRowType(), callers: readonly Caller[] = []): FoundStatement[] {
    const location = [this.#call, ...callers.map(({ call }) => call)].map(formatLocation).join(', from ');
    try {
      const [argument] = this.#call.arguments;
      const values = this.#evaluator.evaluateBranches(argument!, this.#createEnv(callers));
      const statements = values.flatMap((value) => this.#buildStatements(value)).toArray();
      if (row?.isTypeParameter()) throw new Unresolved('the type of its rows is unknown');
      const isValue = this.#getMethodName().startsWith('value');
      return statements.map((statement) => ({ ...statement, location, row, isValue }));
    } catch (error) {
      if (!(error instanceof NeedsCaller || error instanceof Unresolved)) throw error;
      const callee = error instanceof NeedsCaller ? error.callee : undefined;
      const calls =
        callee && !callers.some((caller) => caller.callee === callee) ? this.#compiler.findCalls(callee) : [];
      if (calls.length === 0) this.#unresolved.add(`${location}: ${error.message}`);
      return calls.flatMap((call) =>
        this.findStatements(row && this.#resolveTypeParameter(row, call), [
          ...callers,
          { callee: callee!, call },
        ]),
      );
    }
  }

  #createEnv(callers: readonly Caller[]): Env {
    const env = new Env();
    for (const { callee, call } of callers)
      for (const [i, parameter] of callee.parameters.entries()) {
        const argument = call.arguments[i] ?? parameter.initializer;
        env.bind(parameter, () =>
          argument ? this.#evaluator.evaluate(argument, env) : { kind: 'undefined' },
        );
      }
    return env;
  }

  #buildStatements(
    value: Value,
  ): Array<Pick<FoundStatement, 'text' | 'params' | 'isBatched' | 'declaredColumns'>> {
    const isBatched = value.kind === 'batch row';
    const statements = isBatched ? this.#buildBatches(value.build) : [value];
    return statements.map((statement) => {
      if (statement.kind !== 'sql') throw new Unresolved(`${readNodeText(this.#call)} cannot be evaluated`);
      const text = statement.strings.reduce((textBefore, part, i) => `${textBefore}$${i}${part}`);
      return { text, params: statement.params, isBatched, declaredColumns: statement.declaredColumns ?? [] };
    });
  }

  /** Returns the statements that `build`, the argument of `batchable`, builds for several customers, and for one. */
  #buildBatches(build: FunctionValue): Value[] {
    const { checker } = this.#compiler;
    const rows: Value = { kind: 'opaque', param: { type: checker.getUnknownType(), text: 'rows' } };
    const id = { type: checker.getStringType(), text: 'customerId' };
    const owners: SqlValue[] = [
      { kind: 'sql', strings: ['input.customer_id'], params: [] },
      { kind: 'sql', strings: ['', '::text'], params: [id] },
    ];
    return owners.map((owner) => this.#evaluator.applyFunction(build, [() => rows, () => owner]));
  }

  #getMethodName(): string {
    return (this.#call.expression as Expression & { name: { text: string } }).name.text;
  }

  /** Returns `R` of `Promise<R[]>` or `Promise<R | undefined>`; undefined for `run` and `queueWrite`. */
  #findRowType(): Type | undefined {
    const { checker } = this.#compiler;
    const method = this.#getMethodName();
    if (method === 'run' || method === 'queueWrite') return undefined;
    const [resultType] = checker.getTypeArguments(this.#compiler.getType(this.#call) as never);
    const row = LIST_METHODS.has(method)
      ? checker.getTypeArguments(resultType as never)[0]!
      : this.#removeUndefined(resultType!);
    return isUnknown(row) && !row.isTypeParameter() ? undefined : row;
  }

  /** Returns `R` of `R | undefined`; a type parameter is returned unchanged. */
  #removeUndefined(type: Type): Type {
    const [firstType, ...otherTypes] = type.isUnionType()
      ? type.getTypes().filter(({ flags }) => !(flags & TypeFlags.Undefined))
      : [type];
    return otherTypes.length === 0 ? firstType! : this.#compiler.checker.getNonNullableType(type)!;
  }

  /** Returns the type argument of a call for a type parameter of the called function. */
  #resolveTypeParameter(row: Type, call: CallExpression): Type {
    if (!row.isTypeParameter()) return row;
    const { checker } = this.#compiler;
    const usedSignature = checker.getResolvedSignature(call)!;
    const calleeType = this.#compiler.getType(call.expression);
    const declaredSignature = checker.getSignaturesOfType(calleeType, SignatureKind.Call)[0]!;
    const typeGetters = [
      checker.getReturnTypeOfSignature,
      ...call.arguments.map(
        (_argument, i) => (signature: Signature) => checker.getParameterType(signature, i),
      ),
    ];
    for (const getType of typeGetters) {
      const typeArgument = this.#findTypeArgument(
        row,
        getType.call(checker, declaredSignature)!,
        getType.call(checker, usedSignature)!,
      );
      if (typeArgument) return typeArgument;
    }
    return row;
  }

  /** Finds the type in `used` at the position of the type parameter in `declared`. */
  #findTypeArgument(typeParameter: Type, declared: Type, used: Type): Type | undefined {
    if (declared.id === typeParameter.id) return used;
    if (declared.isUnionType() && declared.getTypes().some(({ id }) => id === typeParameter.id))
      return this.#removeUndefined(used);
    const listTypeArguments = (type: Type): readonly Type[] => {
      const aliasArguments = type.getAliasTypeArguments();
      if (aliasArguments.length > 0 || !type.isTypeReference()) return aliasArguments;
      return this.#compiler.checker.getTypeArguments(type);
    };
    const usedArguments = listTypeArguments(used);
    for (const [i, declaredArgument] of listTypeArguments(declared).entries()) {
      const typeArgument =
        usedArguments[i] && this.#findTypeArgument(typeParameter, declaredArgument, usedArguments[i]);
      if (typeArgument) return typeArgument;
    }
    return undefined;
  }
}
