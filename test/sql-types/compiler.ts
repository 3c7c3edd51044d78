import { join } from 'node:path';
import {
  type ArrowFunction,
  type CallExpression,
  type Expression,
  type FunctionDeclaration,
  type FunctionExpression,
  isArrowFunction,
  isCallExpression,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isMethodDeclaration,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  isVariableDeclaration,
  type MethodDeclaration,
  type Node,
  type SourceFile as ParsedFile,
} from 'typescript/unstable/ast';
import { API, SymbolFlags, type Type, TypeFlags } from 'typescript/unstable/sync';
import { PROJECT } from '../project.ts';
import { readSources, type SourceFile } from '../source.ts';

export type FunctionNode = ArrowFunction | FunctionExpression | FunctionDeclaration | MethodDeclaration;

/**
 * The types of the program, by TypeScript's compiler. Its API is not stable yet: only this folder uses it, and `sql-types.test.ts`
 * fails when it changes.
 */
export class Compiler {
  readonly #api = new API({ cwd: PROJECT });
  /** The files of the program, without its tests. */
  readonly program: readonly SourceFile[];
  /** The files searched for calls. */
  readonly #callers: readonly SourceFile[];
  readonly #project = this.#api
    .updateSnapshot({ openProjects: [join(PROJECT, 'tsconfig.json')] })
    .getProjects()[0]!;
  readonly checker = this.#project.checker;
  readonly #declarations = new Map<Node, Node | undefined>();
  readonly #types = new Map<Node, Type>();
  readonly #mentions = new Map<string, boolean>();
  readonly #nodes = new Map<string, Node[]>();

  /** `further`: files outside of the program. */
  constructor(further: readonly string[]) {
    const sources = readSources().filter(({ isTest }) => !isTest);
    this.program = sources.filter(({ path }) => isProgram(path));
    this.#callers = [...this.program, ...sources.filter(({ path }) => further.includes(path))];
  }

  close(): void {
    this.#api.close();
  }

  /** All nodes of a file, by its path from the root of the project. */
  listNodes(path: string): Node[] {
    const known =
      this.#nodes.get(path) ?? listNodes(this.#project.program.getSourceFile(join(PROJECT, path))!);
    this.#nodes.set(path, known);
    return known;
  }

  typeOf(node: Node): Type {
    const knownType = this.#types.get(node) ?? this.checker.getTypeAtLocation(node)!;
    this.#types.set(node, knownType);
    return knownType;
  }

  /** The declaration of a name, in any file. */
  declarationOf(name: Node): Node | undefined {
    if (this.#declarations.has(name)) return this.#declarations.get(name);
    const { checker } = this;
    let symbol = isShorthandPropertyAssignment(name.parent)
      ? checker.getShorthandAssignmentValueSymbol(name.parent)
      : checker.getSymbolAtLocation(name);
    if (symbol && symbol.flags & SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
    const found = symbol?.valueDeclaration?.resolve(this.#project);
    this.#declarations.set(name, found);
    return found;
  }

  /** Calls of a function in the program, by its name. */
  callsOf(callee: FunctionNode): CallExpression[] {
    const declared = declaring(callee);
    if (!declared) return [];
    return this.#callers
      .filter(({ text }) => text.includes(declared.name))
      .flatMap(({ path }) => this.listNodes(path))
      .filter(isCallExpression)
      .filter(({ expression }) => {
        const name = findCalleeName(expression);
        return (
          name?.text === declared.name &&
          buildNodeKey(this.declarationOf(name)) === buildNodeKey(declared.node)
        );
      });
  }

  /** Whether a value of this type contains SQL: it is SQL, a list or an object with SQL, or a function that returns it. */
  mentionsSql(type: Type, depth = 3): boolean {
    const key = `${type.id} ${depth}`;
    const known = this.#mentions.get(key);
    if (known !== undefined) return known;
    this.#mentions.set(key, false);
    const found = this.#reachesSql(type, depth);
    this.#mentions.set(key, found);
    return found;
  }

  /** What a `Columns` declares; undefined of anything else. */
  columnsOf(node: Node): Array<{ column: string; databaseType: string; type: Type }> | undefined {
    const { checker } = this;
    const type = this.typeOf(node);
    if (type.getSymbol()?.name !== 'Columns') return undefined;
    const [declared] = checker.getTypeArguments(type as never);
    return checker.getPropertiesOfType(declared!).map((property) => {
      const [value, databaseType] = checker.getTypeArguments(checker.getTypeOfSymbol(property) as never);
      return {
        column: property.name,
        databaseType: JSON.parse(checker.typeToString(databaseType!)),
        type: value!,
      };
    });
  }

  #reachesSql(type: Type, depth: number): boolean {
    if (type.isUnionType() || type.isIntersectionType())
      return type.getTypes().some((one) => this.mentionsSql(one, depth));
    if (!type.isObjectType() || depth === 0) return false;
    const symbol = type.getSymbol();
    if (SQL_TYPES.has(symbol?.name ?? '')) return true;
    if (symbol?.name === 'Promise' || this.checker.isArrayLikeType(type))
      return this.checker.getTypeArguments(type as never).some((one) => this.mentionsSql(one, depth));
    if (type.getAliasTypeArguments().some((one) => this.mentionsSql(one, depth))) return true;
    // Types of packages contain no SQL of ours.
    if (!symbol?.declarations.some(({ path }) => isOurs(path))) return false;
    const signatures = this.checker.getSignaturesOfType(type, 0);
    if (signatures.length > 0)
      return signatures.some((signature) =>
        this.mentionsSql(this.checker.getReturnTypeOfSignature(signature)!, depth - 1),
      );
    if (type.isClassOrInterface()) return false;
    return this.checker.getPropertiesOfType(type).some((property) => {
      const member = this.checker.getTypeOfSymbol(property);
      return member !== undefined && this.mentionsSql(member, depth - 1);
    });
  }
}

const isOurs = (path: string): boolean =>
  path.startsWith(PROJECT.toLowerCase()) || path.startsWith(PROJECT)
    ? !path.includes('/node_modules/')
    : false;

const SQL_TYPES = new Set(['Sql', 'BatchRow', 'Columns']);

/** The pages contain no SQL. */
const isProgram = (path: string): boolean => /^src\/(?!apps\/).*\.ts$/.test(path);

export const isUnknown = (type: Type): boolean =>
  (type.flags & (TypeFlags.Any | TypeFlags.Unknown | TypeFlags.TypeParameter)) !== 0;

export const isFunctionNode = (node: Node): node is FunctionNode =>
  isArrowFunction(node) ||
  isFunctionExpression(node) ||
  isFunctionDeclaration(node) ||
  isMethodDeclaration(node);

/** A node and all within it. */
export function listNodes(node: Node): Node[] {
  const found = [node];
  for (const otherNode of found)
    otherNode.forEachChild((child) => {
      found.push(child);
      return undefined;
    });
  return found;
}

/** The last name of `a`, `a.b` or `a.b.c`. */
export function findCalleeName(callee: Expression): (Node & { text: string }) | undefined {
  if (isIdentifier(callee)) return callee;
  return isPropertyAccessExpression(callee) ? callee.name : undefined;
}

/** The declaration that names a function: itself, or the constant or property it is assigned to. */
function declaring(callee: FunctionNode): { name: string; node: Node } | undefined {
  if (isFunctionDeclaration(callee) || isMethodDeclaration(callee))
    return callee.name && 'text' in callee.name ? { name: callee.name.text, node: callee } : undefined;
  const { parent } = callee;
  if ((isVariableDeclaration(parent) || isPropertyAssignment(parent)) && isIdentifier(parent.name))
    return { name: parent.name.text, node: parent };
  return undefined;
}

function fileOf(node: Node): ParsedFile {
  let at = node;
  while (at.parent) at = at.parent;
  return at as ParsedFile;
}

const pathOf = (fileName: string): string => fileName.slice(PROJECT.length + 1);

/** The same for the same place in the source. */
export const buildNodeKey = (node: Node | undefined): string =>
  node ? `${fileOf(node).fileName}:${node.pos}:${node.end}:${node.kind}` : '';

export function formatLocation(node: Node): string {
  const file = fileOf(node);
  const line = file.text.slice(0, startOf(node)).split('\n').length;
  return `${pathOf(file.fileName)}:${line}`;
}

export const readNodeText = (node: Node): string => fileOf(node).text.slice(startOf(node), node.end);

/** Without the spaces and comments before it. */
function startOf(node: Node): number {
  const before = /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*/.exec(fileOf(node).text.slice(node.pos, node.end));
  return node.pos + before![0].length;
}

/** The function around a node whose parameter, or a part of it, is declared here. */
export function findEnclosingFunction(declaration: Node): FunctionNode {
  let node = declaration.parent;
  while (!isFunctionNode(node)) node = node.parent;
  return node;
}
