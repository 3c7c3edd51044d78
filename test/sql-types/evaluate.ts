import {
  type BindingElement,
  type Block,
  type CallExpression,
  type Expression,
  isArrayBindingPattern,
  isArrayLiteralExpression,
  isAsExpression,
  isAwaitExpression,
  isBinaryExpression,
  isBindingElement,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isElementAccessExpression,
  isIdentifier,
  isIfStatement,
  isNonNullExpression,
  isNoSubstitutionTemplateLiteral,
  isObjectLiteralExpression,
  isParameterDeclaration,
  isParenthesizedExpression,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isReturnStatement,
  isSatisfiesExpression,
  isSpreadAssignment,
  isSpreadElement,
  isStringLiteral,
  isSwitchStatement,
  isTaggedTemplateExpression,
  isThrowStatement,
  isTypeOfExpression,
  isVariableDeclaration,
  type Node,
  type ObjectLiteralExpression,
  type ParameterDeclaration,
  type Statement,
  SyntaxKind,
  type TaggedTemplateExpression,
} from 'typescript/unstable/ast';
import type { Type } from 'typescript/unstable/sync';
import { buildColumnsSql } from './columns.ts';
import {
  buildNodeKey,
  type Compiler,
  findCalleeName,
  findEnclosingFunction,
  formatLocation,
  isFunctionNode,
  isUnknown,
  readNodeText,
} from './compiler.ts';
import {
  type DeclaredColumn,
  Env,
  type FunctionValue,
  getMember,
  NeedsCaller,
  type Param,
  type SqlValue,
  type Thunk,
  UNDEFINED,
  Unresolved,
  type Value,
} from './values.ts';

/** Thrown if the chosen branches lead to a `throw` of the program, so that there is no statement. */
class ProgramThrows extends Error {}
/** The number of successive runs without a new branch after which an evaluation stops. */
const MAX_FRUITLESS_RUNS = 4;

/**
 * Evaluates the program symbolically for its SQL: follows constants, functions, lists and objects to the `sql` templates in them.
 * An evaluation takes one branch of each condition; `evaluateBranches` repeats it until every branch was taken.
 */
export class Evaluator {
  readonly #compiler: Compiler;
  readonly #providedSql: ReadonlyMap<string, Node>;
  /** The keys of templates that became a part of a statement. */
  readonly usedTemplates = new Set<string>();
  /** How often each branch of each condition was taken in the current evaluation. */
  #branchCounts = new Map<string, number[]>();
  /** The branch that each condition takes in the current run, by the source of the condition. */
  #decisions = new Map<string, number>();

  constructor(compiler: Compiler, providedSql: ReadonlyMap<string, Node>) {
    this.#compiler = compiler;
    this.#providedSql = providedSql;
  }

  /** Yields the value of an expression for different branches of its conditions, until each branch was taken. */
  *evaluateBranches(node: Expression, env: Env): Generator<Value> {
    this.#branchCounts = new Map();
    let runsWithoutNewBranch = 0;
    while (runsWithoutNewBranch < MAX_FRUITLESS_RUNS) {
      this.#decisions = new Map();
      const branchCountBefore = this.#countTakenBranches();
      try {
        yield this.evaluate(node, env);
      } catch (error) {
        if (!(error instanceof ProgramThrows)) throw error;
      }
      if (this.#branchCounts.size === 0) return;
      runsWithoutNewBranch = this.#countTakenBranches() > branchCountBefore ? 0 : runsWithoutNewBranch + 1;
    }
  }

  #countTakenBranches(): number {
    return this.#branchCounts.values().reduce((sum, counts) => sum + counts.filter(Boolean).length, 0);
  }

  /** Chooses the branch taken least often so far. Within a run the same condition is always decided the same way. */
  #chooseBranch(node: Node, branchCount: number): number {
    const source = readNodeText(node);
    const decision = this.#decisions.get(source);
    if (decision !== undefined && decision < branchCount) return decision;
    const counts = this.#branchCounts.get(buildNodeKey(node)) ?? Array.from({ length: branchCount }, () => 0);
    this.#branchCounts.set(buildNodeKey(node), counts);
    const branch = counts.indexOf(Math.min(...counts));
    counts[branch]!++;
    this.#decisions.set(source, branch);
    return branch;
  }

  evaluate(node: Node, env: Env): Value {
    if (
      isParenthesizedExpression(node) ||
      isAsExpression(node) ||
      isSatisfiesExpression(node) ||
      isNonNullExpression(node) ||
      isAwaitExpression(node)
    )
      return this.evaluate(node.expression, env);
    if (isTaggedTemplateExpression(node) && readNodeText(node.tag) === 'sql')
      return this.#evaluateTemplate(node, env);
    if (isFunctionNode(node)) return { kind: 'function', node, env };
    if (isArrayLiteralExpression(node)) return this.#evaluateList(node.elements, env);
    if (isObjectLiteralExpression(node)) return this.#evaluateObject(node, env);
    const type = this.#compiler.getType(node);
    if (isIdentifier(node) && node.text === 'undefined') return UNDEFINED;
    // A call may return an object of filters, in which the SQL is one level deeper than elsewhere.
    const depth = isCallExpression(node) ? 4 : 3;
    if (!isUnknown(type) && !this.#compiler.containsSql(type, depth)) return this.#createOpaque(node, type);
    const providedNode = this.#findProvidedSql(type);
    if (providedNode) return this.#evaluateDeclaration(providedNode, new Env())!;
    if (isIdentifier(node)) return this.#evaluateName(node, env);
    if (isConditionalExpression(node))
      return this.evaluate(this.#isTrue(node.condition, env) ? node.whenTrue : node.whenFalse, env);
    if (isBinaryExpression(node)) return this.#evaluateLogicalOperator(node, env);
    const columnsSql = buildColumnsSql(this.#compiler, node, (part) => this.evaluate(part, env));
    if (columnsSql) return columnsSql;
    if (isPropertyAccessExpression(node))
      return getMember(this.evaluate(node.expression, env), node.name.text) ?? this.#createOpaque(node, type);
    if (isElementAccessExpression(node))
      return this.#evaluateElement(node, this.evaluate(node.expression, env), type);
    if (isCallExpression(node)) return this.#evaluateCall(node, env);
    return this.#createOpaque(node, type);
  }

  #findProvidedSql(type: Type): Node | undefined {
    return this.#providedSql.get(type.getAliasSymbol()?.name ?? '');
  }

  #createOpaque(node: Node, type: Type): Value {
    return { kind: 'opaque', param: { type, text: readNodeText(node) } };
  }

  #evaluateTemplate(node: TaggedTemplateExpression, env: Env): SqlValue {
    this.usedTemplates.add(buildNodeKey(node));
    const { template } = node;
    if (isNoSubstitutionTemplateLiteral(template))
      return { kind: 'sql', strings: [template.text], params: [] };
    const strings = [template.head.text];
    const params: Param[] = [];
    const declaredColumns: DeclaredColumn[] = [];
    for (const { expression, literal } of template.templateSpans) {
      const type = this.#compiler.getType(expression);
      const mayContainSql = isUnknown(type) || this.#compiler.containsSql(type);
      const value = mayContainSql ? this.evaluate(expression, env) : this.#createOpaque(expression, type);
      if (value.kind === 'sql') {
        const insertTable = /insert into (\w+)(?:\s+as\s+\w+)?\s*$/.exec(strings.at(-1)!)?.[1];
        declaredColumns.push(
          ...(value.declaredColumns ?? []).map((column) => ({
            ...column,
            table: column.table ?? insertTable,
          })),
        );
        strings.push(`${strings.pop()}${value.strings[0]}`, ...value.strings.slice(1));
        params.push(...value.params);
        strings.push(`${strings.pop()}${literal.text}`);
      } else if (
        value.kind === 'opaque' &&
        (isUnknown(type) || !this.#compiler.containsSql(value.param.type))
      ) {
        params.push(value.param);
        strings.push(literal.text);
      } else
        throw new Unresolved(
          `${readNodeText(expression)} at ${formatLocation(expression)} cannot be evaluated`,
        );
    }
    return { kind: 'sql', strings, params, declaredColumns };
  }

  #evaluateList(elements: readonly Expression[], env: Env): Value {
    const items = elements.flatMap((element) => {
      if (!isSpreadElement(element)) return [this.evaluate(element, env)];
      const spread = this.evaluate(element.expression, env);
      return spread.kind === 'list' ? spread.items : [];
    });
    return { kind: 'list', items };
  }

  #evaluateObject({ properties }: ObjectLiteralExpression, env: Env): Value {
    const getMemberByName = (name: string): Value => {
      for (const property of properties.toReversed()) {
        if (isSpreadAssignment(property)) {
          const spread = this.evaluate(property.expression, env);
          const value = spread.kind === 'object' ? spread.get(name) : UNDEFINED;
          if (value.kind !== 'undefined') return value;
        } else if (property.name && 'text' in property.name && property.name.text === name) {
          if (isPropertyAssignment(property)) return this.evaluate(property.initializer, env);
          return isFunctionNode(property)
            ? { kind: 'function', node: property, env }
            : this.evaluate(property.name, env);
        }
      }
      return UNDEFINED;
    };
    const listNames = () =>
      properties.flatMap((property) => {
        if (isSpreadAssignment(property)) {
          const spread = this.evaluate(property.expression, env);
          return spread.kind === 'object' ? spread.names() : [];
        }
        return 'name' in property && property.name && 'text' in property.name
          ? [property.name.text as string]
          : [];
      });
    return { kind: 'object', get: getMemberByName, names: listNames };
  }

  #evaluateName(name: Node, env: Env): Value {
    const declaration = this.#compiler.findDeclaration(name);
    const value = declaration && this.#evaluateDeclaration(declaration, env);
    return value ?? this.#createOpaque(name, this.#compiler.getType(name));
  }

  #evaluateDeclaration(declaration: Node, env: Env): Value | undefined {
    if (isFunctionNode(declaration)) return { kind: 'function', node: declaration, env };
    if (isVariableDeclaration(declaration))
      return declaration.initializer && this.evaluate(declaration.initializer, env);
    if (isParameterDeclaration(declaration)) return this.#evaluateParameter(declaration, env);
    if (isBindingElement(declaration)) return this.#evaluateBindingElement(declaration, env);
    return undefined;
  }

  #evaluateParameter(declaration: ParameterDeclaration, env: Env): Value {
    const argument = env.find(declaration);
    if (argument) return argument();
    throw new NeedsCaller(findEnclosingFunction(declaration), declaration);
  }

  /** Evaluates a name that is declared in `{ a, b: c = d }` or `[a, ...b]`. */
  #evaluateBindingElement(declaration: BindingElement, env: Env): Value | undefined {
    const pattern = declaration.parent;
    const container = this.#evaluateDeclaration(pattern.parent, env);
    if (container === undefined) return undefined;
    if (isArrayBindingPattern(pattern)) {
      if (container.kind !== 'list') return undefined;
      const index = (pattern.elements as readonly Node[]).findIndex(
        (element) => buildNodeKey(element) === buildNodeKey(declaration),
      );
      return declaration.dotDotDotToken
        ? { kind: 'list', items: container.items.slice(index) }
        : (container.items[index] ?? UNDEFINED);
    }
    const name = (declaration.propertyName ?? declaration.name) as Node & { text: string };
    const value = getMember(container, name.text);
    if (value?.kind === 'undefined' && declaration.initializer)
      return this.evaluate(declaration.initializer, env);
    return value;
  }

  #evaluateLogicalOperator(
    node: Node & { left: Expression; right: Expression; operatorToken: Node },
    env: Env,
  ): Value {
    const operator = node.operatorToken.kind;
    if (operator === SyntaxKind.AmpersandAmpersandToken)
      return this.#isTrue(node.left, env) ? this.evaluate(node.right, env) : UNDEFINED;
    const left = this.evaluate(node.left, env);
    if (left.kind === 'undefined') return this.evaluate(node.right, env);
    if (left.kind !== 'opaque' || this.#chooseBranch(node, 2) === 0) return left;
    return this.evaluate(node.right, env);
  }

  /** Returns whether a condition is true. This is known if it tests for SQL; otherwise runs choose true and false in turn. */
  #isTrue(condition: Expression, env: Env): boolean {
    if (isParenthesizedExpression(condition)) return this.#isTrue(condition.expression, env);
    if (isPrefixUnaryExpression(condition)) return !this.#isTrue(condition.operand, env);
    if (isBinaryExpression(condition) && isTypeOfExpression(condition.left)) {
      const { kind } = this.evaluate(condition.left.expression, env);
      if (kind === 'function' || kind === 'sql') return readNodeText(condition.right) === `'${kind}'`;
    }
    const isComparedWithUndefined =
      isBinaryExpression(condition) && readNodeText(condition.right) === 'undefined';
    const operand = isComparedWithUndefined ? condition.left : condition;
    if (this.#compiler.containsSql(this.#compiler.getType(operand))) {
      const isDefined = this.evaluate(operand, env).kind !== 'undefined';
      return isComparedWithUndefined && condition.operatorToken.kind === SyntaxKind.EqualsEqualsEqualsToken
        ? !isDefined
        : isDefined;
    }
    return this.#chooseBranch(condition, 2) === 0;
  }

  #evaluateElement(node: Node & { argumentExpression: Expression }, container: Value, type: Type): Value {
    if (container.kind === 'object') {
      const key = node.argumentExpression;
      const names = container.names();
      return container.get(isStringLiteral(key) ? key.text : names[this.#chooseBranch(node, names.length)]!);
    }
    if (container.kind === 'list')
      return container.items[Number(readNodeText(node.argumentExpression))] ?? UNDEFINED;
    return this.#createOpaque(node, type);
  }

  #evaluateCall(node: CallExpression, env: Env): Value {
    const { expression } = node;
    if (findCalleeName(expression)?.text === 'batchable') {
      const build = this.evaluate(node.arguments[0]!, env);
      if (build.kind === 'function') return { kind: 'batchable', build };
    }
    if (readNodeText(expression) === 'Object.entries') return this.#evaluateEntries(node, env);
    if (
      isPropertyAccessExpression(expression) &&
      !this.#findProvidedSql(this.#compiler.getType(expression))
    ) {
      const list = this.evaluate(expression.expression, env);
      if (list.kind === 'list') return this.#evaluateListMethod(node, expression.name.text, list.items, env);
    }
    const value = this.evaluate(expression, env);
    const callee =
      value.kind === 'opaque' && isIdentifier(expression) ? this.#evaluateName(expression, env) : value;
    if (callee.kind === 'batchable') return { kind: 'batch row', build: callee.build };
    if (callee.kind !== 'function') return this.#createOpaque(node, this.#compiler.getType(node));
    return this.applyFunction(
      callee,
      node.arguments.map((argument) => this.#evaluateLater(argument, env)),
    );
  }

  #evaluateEntries(node: CallExpression, env: Env): Value {
    const object = this.evaluate(node.arguments[0]!, env);
    if (object.kind !== 'object') return this.#createOpaque(node, this.#compiler.getType(node));
    const items = object
      .names()
      .map((name): Value => ({ kind: 'list', items: [UNDEFINED, object.get(name)] }));
    return { kind: 'list', items };
  }

  #evaluateLater(argument: Expression, env: Env): Thunk {
    let value: Value | undefined;
    return () => {
      value ??= this.evaluate(argument, env);
      return value;
    };
  }

  #evaluateListMethod(node: CallExpression, method: string, items: readonly Value[], env: Env): Value {
    const callback = this.evaluate(node.arguments[0]!, env);
    const call = (...args: Value[]) =>
      this.applyFunction(
        callback as FunctionValue,
        args.map((value) => () => value),
      );
    if (callback.kind === 'function' && method === 'map')
      return { kind: 'list', items: items.map((item) => call(item)) };
    if (callback.kind === 'function' && method === 'flatMap')
      return {
        kind: 'list',
        items: items.flatMap((item) => {
          const result = call(item);
          return result.kind === 'list' ? result.items : [result];
        }),
      };
    if (callback.kind === 'function' && method === 'reduce')
      return items.reduce(
        (accumulator, item) => call(accumulator, item),
        this.evaluate(node.arguments[1]!, env),
      );
    if (method === 'filter') return { kind: 'list', items: items.filter(({ kind }) => kind !== 'undefined') };
    throw new Unresolved(`${readNodeText(node)} at ${formatLocation(node)} cannot be evaluated`);
  }

  applyFunction({ node, env }: FunctionValue, args: readonly Thunk[]): Value {
    const innerEnv = new Env(env);
    for (const [i, parameter] of node.parameters.entries()) {
      if (parameter.dotDotDotToken)
        innerEnv.bind(parameter, () => ({ kind: 'list', items: args.slice(i).map((arg) => arg()) }));
      else innerEnv.bind(parameter, this.#bindArgument(parameter, args[i], innerEnv));
    }
    if (!node.body) throw new Unresolved(`${readNodeText(node)} at ${formatLocation(node)} has no body`);
    if (!isBlock(node.body)) return this.evaluate(node.body, innerEnv);
    const returnedValue = this.#evaluateBlock((node.body as Block).statements, innerEnv);
    return returnedValue ?? UNDEFINED;
  }

  #bindArgument(parameter: ParameterDeclaration, argument: Thunk | undefined, env: Env): Thunk {
    const { initializer } = parameter;
    return () => {
      const value = argument?.() ?? UNDEFINED;
      return value.kind === 'undefined' && initializer ? this.evaluate(initializer, env) : value;
    };
  }

  /** Returns the value that statements of a function return; undefined if the function continues after them. */
  #evaluateBlock(statements: readonly Statement[], env: Env): Value | undefined {
    for (const statement of statements) {
      const returnedValue = this.#evaluateStatement(statement, env);
      if (returnedValue !== undefined) return returnedValue;
    }
    return undefined;
  }

  #evaluateStatement(statement: Statement, env: Env): Value | undefined {
    if (isReturnStatement(statement))
      return statement.expression ? this.evaluate(statement.expression, env) : UNDEFINED;
    if (isThrowStatement(statement)) throw new ProgramThrows();
    if (isBlock(statement)) return this.#evaluateBlock(statement.statements, env);
    if (isIfStatement(statement)) {
      if (this.#isTrue(statement.expression, env))
        return this.#evaluateStatement(statement.thenStatement, env);
      return statement.elseStatement && this.#evaluateStatement(statement.elseStatement, env);
    }
    if (isSwitchStatement(statement)) {
      const { clauses } = statement.caseBlock;
      const firstClause = this.#chooseBranch(statement, clauses.length);
      return this.#evaluateBlock(
        clauses.slice(firstClause).flatMap((clause) => [...clause.statements]),
        env,
      );
    }
    return undefined;
  }
}
