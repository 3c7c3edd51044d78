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
  Env,
  type FunctionValue,
  type Listed,
  NeedsCaller,
  type Param,
  type SqlValue,
  type Thunk,
  Unresolved,
  type Value,
} from './values.ts';

const UNDEFINED: Value = { kind: 'undefined' };
/** The branches taken lead to a `throw`: there is no statement. */
class Thrown extends Error {}

/**
 * Evaluates the program symbolically for its SQL: constants, functions, lists and objects are followed to the `sql` templates in
 * them. At a condition one branch is taken; `runs` repeats until every branch was taken.
 */
export class Evaluator {
  readonly #compiler: Compiler;
  readonly #standIns: ReadonlyMap<string, Node>;
  /** The templates that became a part of a statement. */
  readonly used = new Set<string>();
  #taken = new Map<string, number[]>();
  #decided = new Map<string, number>();

  constructor(compiler: Compiler, standIns: ReadonlyMap<string, Node>) {
    this.#compiler = compiler;
    this.#standIns = standIns;
  }

  /** The values of an expression, for every combination of branches on the way. */
  *runs(node: Expression, env: Env): Generator<Value> {
    this.#taken = new Map();
    for (let idle = 0; idle < 4; ) {
      this.#decided = new Map();
      const before = this.#branches();
      try {
        yield this.evaluate(node, env);
      } catch (error) {
        if (!(error instanceof Thrown)) throw error;
      }
      if (this.#taken.size === 0) return;
      idle = this.#branches() > before ? 0 : idle + 1;
    }
  }

  #branches(): number {
    return this.#taken.values().reduce((sum, counts) => sum + counts.filter(Boolean).length, 0);
  }

  /** The branch taken least often so far. Within a run the same condition is decided the same way. */
  #choose(node: Node, branches: number): number {
    const words = readNodeText(node);
    const decided = this.#decided.get(words);
    if (decided !== undefined && decided < branches) return decided;
    const counts = this.#taken.get(buildNodeKey(node)) ?? Array.from({ length: branches }, () => 0);
    this.#taken.set(buildNodeKey(node), counts);
    const chosen = counts.indexOf(Math.min(...counts));
    counts[chosen]!++;
    this.#decided.set(words, chosen);
    return chosen;
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
      return this.#template(node, env);
    if (isFunctionNode(node)) return { kind: 'function', node, env };
    if (isArrayLiteralExpression(node)) return this.#list(node.elements, env);
    if (isObjectLiteralExpression(node)) return this.#object(node, env);
    const type = this.#compiler.typeOf(node);
    if (isIdentifier(node) && node.text === 'undefined') return UNDEFINED;
    // A call may return an object of filters, in which the SQL is one level deeper than elsewhere.
    const depth = isCallExpression(node) ? 4 : 3;
    if (!isUnknown(type) && !this.#compiler.mentionsSql(type, depth)) return this.#opaque(node, type);
    const standIn = this.#findStandIn(type);
    if (standIn) return this.#declared(standIn, new Env())!;
    if (isIdentifier(node)) return this.#named(node, env);
    if (isConditionalExpression(node))
      return this.evaluate(this.#holds(node.condition, env) ? node.whenTrue : node.whenFalse, env);
    if (isBinaryExpression(node)) return this.#either(node, env);
    const ofColumns = buildColumnsSql(this.#compiler, node, (part) => this.evaluate(part, env));
    if (ofColumns) return ofColumns;
    if (isPropertyAccessExpression(node))
      return member(this.evaluate(node.expression, env), node.name.text) ?? this.#opaque(node, type);
    if (isElementAccessExpression(node))
      return this.#element(node, this.evaluate(node.expression, env), type);
    if (isCallExpression(node)) return this.#call(node, env);
    return this.#opaque(node, type);
  }

  #findStandIn(type: Type): Node | undefined {
    return this.#standIns.get(type.getAliasSymbol()?.name ?? '');
  }

  #opaque(node: Node, type: Type): Value {
    return { kind: 'opaque', param: { type, text: readNodeText(node) } };
  }

  #template(node: TaggedTemplateExpression, env: Env): SqlValue {
    this.used.add(buildNodeKey(node));
    const { template } = node;
    if (isNoSubstitutionTemplateLiteral(template))
      return { kind: 'sql', strings: [template.text], params: [] };
    const strings = [template.head.text];
    const params: Param[] = [];
    const listed: Listed[] = [];
    for (const { expression, literal } of template.templateSpans) {
      const type = this.#compiler.typeOf(expression);
      const isPart = isUnknown(type) || this.#compiler.mentionsSql(type);
      const value = isPart ? this.evaluate(expression, env) : this.#opaque(expression, type);
      if (value.kind === 'sql') {
        const into = /insert into (\w+)(?:\s+as\s+\w+)?\s*$/.exec(strings.at(-1)!)?.[1];
        listed.push(...(value.listed ?? []).map((one) => ({ ...one, table: one.table ?? into })));
        strings.push(`${strings.pop()}${value.strings[0]}`, ...value.strings.slice(1));
        params.push(...value.params);
        strings.push(`${strings.pop()}${literal.text}`);
      } else if (
        value.kind === 'opaque' &&
        (isUnknown(type) || !this.#compiler.mentionsSql(value.param.type))
      ) {
        params.push(value.param);
        strings.push(literal.text);
      } else
        throw new Unresolved(`${readNodeText(expression)} at ${formatLocation(expression)} is not followed`);
    }
    return { kind: 'sql', strings, params, listed };
  }

  #list(elements: readonly Expression[], env: Env): Value {
    const items = elements.flatMap((element) => {
      if (!isSpreadElement(element)) return [this.evaluate(element, env)];
      const spread = this.evaluate(element.expression, env);
      return spread.kind === 'list' ? spread.items : [];
    });
    return { kind: 'list', items };
  }

  #object({ properties }: ObjectLiteralExpression, env: Env): Value {
    const find = (name: string): Value => {
      for (const property of properties.toReversed()) {
        if (isSpreadAssignment(property)) {
          const spread = this.evaluate(property.expression, env);
          const found = spread.kind === 'object' ? spread.get(name) : UNDEFINED;
          if (found.kind !== 'undefined') return found;
        } else if (property.name && 'text' in property.name && property.name.text === name) {
          if (isPropertyAssignment(property)) return this.evaluate(property.initializer, env);
          return isFunctionNode(property)
            ? { kind: 'function', node: property, env }
            : this.evaluate(property.name, env);
        }
      }
      return UNDEFINED;
    };
    const names = () =>
      properties.flatMap((property) => {
        if (isSpreadAssignment(property)) {
          const spread = this.evaluate(property.expression, env);
          return spread.kind === 'object' ? spread.names() : [];
        }
        return 'name' in property && property.name && 'text' in property.name
          ? [property.name.text as string]
          : [];
      });
    return { kind: 'object', get: find, names };
  }

  #named(name: Node, env: Env): Value {
    const declaration = this.#compiler.declarationOf(name);
    if (!declaration) return this.#opaque(name, this.#compiler.typeOf(name));
    return this.#declared(declaration, env) ?? this.#opaque(name, this.#compiler.typeOf(name));
  }

  #declared(declaration: Node, env: Env): Value | undefined {
    if (isFunctionNode(declaration)) return { kind: 'function', node: declaration, env };
    if (isVariableDeclaration(declaration))
      return declaration.initializer && this.evaluate(declaration.initializer, env);
    if (isParameterDeclaration(declaration)) return this.#parameter(declaration, env);
    if (isBindingElement(declaration)) return this.#bindingElement(declaration, env);
    return undefined;
  }

  #parameter(declaration: ParameterDeclaration, env: Env): Value {
    const bound = env.find(declaration);
    if (bound) return bound();
    throw new NeedsCaller(findEnclosingFunction(declaration), declaration);
  }

  /** A name in `{ a, b: c = d }` or `[a, ...b]`. */
  #bindingElement(declaration: BindingElement, env: Env): Value | undefined {
    const pattern = declaration.parent;
    const whole = this.#declared(pattern.parent, env);
    if (whole === undefined) return undefined;
    if (isArrayBindingPattern(pattern)) {
      if (whole.kind !== 'list') return undefined;
      const at = (pattern.elements as readonly Node[]).findIndex(
        (otherNode) => buildNodeKey(otherNode) === buildNodeKey(declaration),
      );
      return declaration.dotDotDotToken
        ? { kind: 'list', items: whole.items.slice(at) }
        : (whole.items[at] ?? UNDEFINED);
    }
    const name = (declaration.propertyName ?? declaration.name) as Node & { text: string };
    const found = member(whole, name.text);
    if (found?.kind === 'undefined' && declaration.initializer)
      return this.evaluate(declaration.initializer, env);
    return found;
  }

  #either(node: Node & { left: Expression; right: Expression; operatorToken: Node }, env: Env): Value {
    const operator = node.operatorToken.kind;
    if (operator === SyntaxKind.AmpersandAmpersandToken)
      return this.#holds(node.left, env) ? this.evaluate(node.right, env) : UNDEFINED;
    const left = this.evaluate(node.left, env);
    if (left.kind === 'undefined') return this.evaluate(node.right, env);
    if (left.kind !== 'opaque' || this.#choose(node, 2) === 0) return left;
    return this.evaluate(node.right, env);
  }

  /** Whether a condition holds: known if it tests for a piece of SQL, otherwise both are tried. */
  #holds(condition: Expression, env: Env): boolean {
    if (isParenthesizedExpression(condition)) return this.#holds(condition.expression, env);
    if (isPrefixUnaryExpression(condition)) return !this.#holds(condition.operand, env);
    if (isBinaryExpression(condition) && isTypeOfExpression(condition.left)) {
      const { kind } = this.evaluate(condition.left.expression, env);
      if (kind === 'function' || kind === 'sql') return readNodeText(condition.right) === `'${kind}'`;
    }
    const compared = isBinaryExpression(condition) && readNodeText(condition.right) === 'undefined';
    const operand = compared ? condition.left : condition;
    if (this.#compiler.mentionsSql(this.#compiler.typeOf(operand))) {
      const isThere = this.evaluate(operand, env).kind !== 'undefined';
      return compared && condition.operatorToken.kind === SyntaxKind.EqualsEqualsEqualsToken
        ? !isThere
        : isThere;
    }
    return this.#choose(condition, 2) === 0;
  }

  #element(node: Node & { argumentExpression: Expression }, of: Value, type: Type): Value {
    if (of.kind === 'object') {
      const key = node.argumentExpression;
      const names = of.names();
      return of.get(isStringLiteral(key) ? key.text : names[this.#choose(node, names.length)]!);
    }
    if (of.kind === 'list') return of.items[Number(readNodeText(node.argumentExpression))] ?? UNDEFINED;
    return this.#opaque(node, type);
  }

  #call(node: CallExpression, env: Env): Value {
    const { expression } = node;
    if (findCalleeName(expression)?.text === 'batchable') {
      const build = this.evaluate(node.arguments[0]!, env);
      if (build.kind === 'function') return { kind: 'batchable', build };
    }
    if (readNodeText(expression) === 'Object.entries') return this.#entries(node, env);
    if (isPropertyAccessExpression(expression) && !this.#findStandIn(this.#compiler.typeOf(expression))) {
      const list = this.evaluate(expression.expression, env);
      if (list.kind === 'list') return this.#ofList(node, expression.name.text, list.items, env);
    }
    const evaluated = this.evaluate(expression, env);
    const callee =
      evaluated.kind === 'opaque' && isIdentifier(expression) ? this.#named(expression, env) : evaluated;
    if (callee.kind === 'batchable') return { kind: 'batch row', build: callee.build };
    if (callee.kind !== 'function') return this.#opaque(node, this.#compiler.typeOf(node));
    return this.apply(
      callee,
      node.arguments.map((argument) => this.#later(argument, env)),
    );
  }

  #entries(node: CallExpression, env: Env): Value {
    const object = this.evaluate(node.arguments[0]!, env);
    if (object.kind !== 'object') return this.#opaque(node, this.#compiler.typeOf(node));
    const items = object
      .names()
      .map((name): Value => ({ kind: 'list', items: [UNDEFINED, object.get(name)] }));
    return { kind: 'list', items };
  }

  #later(argument: Expression, env: Env): Thunk {
    let value: Value | undefined;
    return () => {
      value ??= this.evaluate(argument, env);
      return value;
    };
  }

  #ofList(node: CallExpression, method: string, items: readonly Value[], env: Env): Value {
    const callback = this.evaluate(node.arguments[0]!, env);
    const call = (...args: Value[]) =>
      this.apply(
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
      return items.reduce((all, item) => call(all, item), this.evaluate(node.arguments[1]!, env));
    if (method === 'filter') return { kind: 'list', items: items.filter(({ kind }) => kind !== 'undefined') };
    throw new Unresolved(`${readNodeText(node)} at ${formatLocation(node)} is not followed`);
  }

  apply({ node, env }: FunctionValue, args: readonly Thunk[]): Value {
    const inner = new Env(env);
    for (const [i, parameter] of node.parameters.entries()) {
      if (parameter.dotDotDotToken)
        inner.bind(parameter, () => ({ kind: 'list', items: args.slice(i).map((arg) => arg()) }));
      else inner.bind(parameter, this.#argument(parameter, args[i], inner));
    }
    if (!node.body) throw new Unresolved(`${readNodeText(node)} at ${formatLocation(node)} has no body`);
    if (!isBlock(node.body)) return this.evaluate(node.body, inner);
    const answer = this.#block((node.body as Block).statements, inner);
    return answer ?? UNDEFINED;
  }

  #argument(parameter: ParameterDeclaration, given: Thunk | undefined, env: Env): Thunk {
    const { initializer } = parameter;
    return () => {
      const value = given?.() ?? UNDEFINED;
      return value.kind === 'undefined' && initializer ? this.evaluate(initializer, env) : value;
    };
  }

  /** The value a function's body returns; undefined if it continues after these statements. */
  #block(statements: readonly Statement[], env: Env): Value | undefined {
    for (const statement of statements) {
      const answer = this.#statement(statement, env);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  #statement(statement: Statement, env: Env): Value | undefined {
    if (isReturnStatement(statement))
      return statement.expression ? this.evaluate(statement.expression, env) : UNDEFINED;
    if (isThrowStatement(statement)) throw new Thrown();
    if (isBlock(statement)) return this.#block(statement.statements, env);
    if (isIfStatement(statement)) {
      if (this.#holds(statement.expression, env)) return this.#statement(statement.thenStatement, env);
      return statement.elseStatement && this.#statement(statement.elseStatement, env);
    }
    if (isSwitchStatement(statement)) {
      const { clauses } = statement.caseBlock;
      const from = this.#choose(statement, clauses.length);
      return this.#block(
        clauses.slice(from).flatMap((clause) => [...clause.statements]),
        env,
      );
    }
    return undefined;
  }
}

/** Undefined for opaque values. */
function member(of: Value, name: string): Value | undefined {
  if (of.kind === 'object') return of.get(name);
  return of.kind === 'undefined' ? UNDEFINED : undefined;
}
