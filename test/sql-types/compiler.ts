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
import { API, SignatureKind, SymbolFlags, type Type, TypeFlags } from 'typescript/unstable/sync';
import { PROJECT } from '../project.ts';
import { readSources, type SourceFile } from '../source.ts';

export type FunctionNode = ArrowFunction | FunctionExpression | FunctionDeclaration | MethodDeclaration;

/**
 * Reads the types of the program with TypeScript's compiler. Its API is not stable yet: only this folder uses it, and
 * `sql-types.test.ts` fails when it changes.
 */
export class Compiler {
  readonly #api = new API({ cwd: PROJECT });
  /** The files of the program, without its tests. */
  readonly programFiles: readonly SourceFile[];
  /** The files in which calls of functions are searched. */
  readonly #searchedFiles: readonly SourceFile[];
  readonly #project = this.#api
    .updateSnapshot({ openProjects: [join(PROJECT, 'tsconfig.json')] })
    .getProjects()[0]!;
  readonly checker = this.#project.checker;
  readonly #declarations = new Map<Node, Node | undefined>();
  readonly #types = new Map<Node, Type>();
  readonly #containsSqlByType = new Map<string, boolean>();
  readonly #nodes = new Map<string, Node[]>();

  /** Calls are also searched in `otherPaths`, which are outside of the program. */
  constructor(otherPaths: readonly string[]) {
    const sources = readSources().filter(({ isTest }) => !isTest);
    this.programFiles = sources.filter(({ path }) => isProgramPath(path));
    this.#searchedFiles = [...this.programFiles, ...sources.filter(({ path }) => otherPaths.includes(path))];
  }

  close(): void {
    this.#api.close();
  }

  /** Lists all nodes of a file, by its path from the root of the project. */
  listNodes(path: string): Node[] {
    const nodes =
      this.#nodes.get(path) ?? listNodes(this.#project.program.getSourceFile(join(PROJECT, path))!);
    this.#nodes.set(path, nodes);
    return nodes;
  }

  getType(node: Node): Type {
    const type = this.#types.get(node) ?? this.checker.getTypeAtLocation(node)!;
    this.#types.set(node, type);
    return type;
  }

  /** Finds the declaration of a name in any file. */
  findDeclaration(name: Node): Node | undefined {
    if (this.#declarations.has(name)) return this.#declarations.get(name);
    const { checker } = this;
    let symbol = isShorthandPropertyAssignment(name.parent)
      ? checker.getShorthandAssignmentValueSymbol(name.parent)
      : checker.getSymbolAtLocation(name);
    if (symbol && symbol.flags & SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
    const declaration = symbol?.valueDeclaration?.resolve(this.#project);
    this.#declarations.set(name, declaration);
    return declaration;
  }

  /** Finds the calls of a function in the program. */
  findCalls(callee: FunctionNode): CallExpression[] {
    const declaration = findNamedDeclaration(callee);
    if (!declaration) return [];
    return this.#searchedFiles
      .filter(({ text }) => text.includes(declaration.name))
      .flatMap(({ path }) => this.listNodes(path))
      .filter(isCallExpression)
      .filter(({ expression }) => {
        const name = findCalleeName(expression);
        return (
          name?.text === declaration.name &&
          buildNodeKey(this.findDeclaration(name)) === buildNodeKey(declaration.node)
        );
      });
  }

  /**
   * Returns whether a value of this type contains SQL: it is SQL, a list or an object with SQL, or a function that returns SQL. `depth` is
   * the number of nested objects and functions that are searched.
   */
  containsSql(type: Type, depth = 3): boolean {
    const key = `${type.id} ${depth}`;
    const cachedResult = this.#containsSqlByType.get(key);
    if (cachedResult !== undefined) return cachedResult;
    // Until the result is known, a type that contains itself counts as without SQL.
    this.#containsSqlByType.set(key, false);
    const result = this.#computeContainsSql(type, depth);
    this.#containsSqlByType.set(key, result);
    return result;
  }

  /** Finds the columns of a value of the type `Columns`; undefined for other types. */
  findDeclaredColumns(node: Node): Array<{ column: string; databaseType: string; type: Type }> | undefined {
    const { checker } = this;
    const type = this.getType(node);
    if (type.getSymbol()?.name !== 'Columns') return undefined;
    const [declaration] = checker.getTypeArguments(type as never);
    return checker.getPropertiesOfType(declaration!).map((property) => {
      const [value, databaseType] = checker.getTypeArguments(checker.getTypeOfSymbol(property) as never);
      return {
        column: property.name,
        databaseType: JSON.parse(checker.typeToString(databaseType!)),
        type: value!,
      };
    });
  }

  #computeContainsSql(type: Type, depth: number): boolean {
    if (type.isUnionType() || type.isIntersectionType())
      return type.getTypes().some((part) => this.containsSql(part, depth));
    if (!type.isObjectType() || depth === 0) return false;
    const symbol = type.getSymbol();
    if (SQL_TYPES.has(symbol?.name ?? '')) return true;
    if (symbol?.name === 'Promise' || this.checker.isArrayLikeType(type))
      return this.checker.getTypeArguments(type as never).some((part) => this.containsSql(part, depth));
    if (type.getAliasTypeArguments().some((part) => this.containsSql(part, depth))) return true;
    // Types of packages contain no SQL of the program.
    if (!symbol?.declarations.some(({ path }) => isInProject(path))) return false;
    const signatures = this.checker.getSignaturesOfType(type, SignatureKind.Call);
    if (signatures.length > 0)
      return signatures.some((signature) =>
        this.containsSql(this.checker.getReturnTypeOfSignature(signature)!, depth - 1),
      );
    if (type.isClassOrInterface()) return false;
    return this.checker.getPropertiesOfType(type).some((property) => {
      const member = this.checker.getTypeOfSymbol(property);
      return member !== undefined && this.containsSql(member, depth - 1);
    });
  }
}

/** On file systems that ignore case, the compiler gives paths in lower case. */
const isInProject = (path: string): boolean =>
  path.startsWith(PROJECT.toLowerCase()) || path.startsWith(PROJECT)
    ? !path.includes('/node_modules/')
    : false;

const SQL_TYPES = new Set(['Sql', 'BatchRow', 'Columns']);

/** Returns whether a file belongs to the program. The apps contain no SQL. */
const isProgramPath = (path: string): boolean => /^src\/(?!apps\/).*\.ts$/.test(path);

export const isUnknown = (type: Type): boolean =>
  (type.flags & (TypeFlags.Any | TypeFlags.Unknown | TypeFlags.TypeParameter)) !== 0;

export const isFunctionNode = (node: Node): node is FunctionNode =>
  isArrowFunction(node) ||
  isFunctionExpression(node) ||
  isFunctionDeclaration(node) ||
  isMethodDeclaration(node);

/** Lists a node and all nodes within it. */
export function listNodes(node: Node): Node[] {
  const nodes = [node];
  for (const parent of nodes)
    parent.forEachChild((child) => {
      nodes.push(child);
      return undefined;
    });
  return nodes;
}

/** Finds the last name of `a`, `a.b` or `a.b.c`. */
export function findCalleeName(callee: Expression): (Node & { text: string }) | undefined {
  if (isIdentifier(callee)) return callee;
  return isPropertyAccessExpression(callee) ? callee.name : undefined;
}

/** Finds the declaration that names a function: its own, or that of the constant or property to which it is assigned. */
function findNamedDeclaration(callee: FunctionNode): { name: string; node: Node } | undefined {
  if (isFunctionDeclaration(callee) || isMethodDeclaration(callee))
    return callee.name && 'text' in callee.name ? { name: callee.name.text, node: callee } : undefined;
  const { parent } = callee;
  if ((isVariableDeclaration(parent) || isPropertyAssignment(parent)) && isIdentifier(parent.name))
    return { name: parent.name.text, node: parent };
  return undefined;
}

function getFile(node: Node): ParsedFile {
  let ancestor = node;
  while (ancestor.parent) ancestor = ancestor.parent;
  return ancestor as ParsedFile;
}

const getProjectPath = (fileName: string): string => fileName.slice(PROJECT.length + 1);

/** Builds a key that is the same for the same position in the source. */
export const buildNodeKey = (node: Node | undefined): string =>
  node ? `${getFile(node).fileName}:${node.pos}:${node.end}:${node.kind}` : '';

export function formatLocation(node: Node): string {
  const file = getFile(node);
  const line = file.text.slice(0, findStart(node)).split('\n').length;
  return `${getProjectPath(file.fileName)}:${line}`;
}

export const readNodeText = (node: Node): string => getFile(node).text.slice(findStart(node), node.end);

/** Finds where a node starts after the spaces and comments before it. */
function findStart(node: Node): number {
  const precedingText = /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*/.exec(getFile(node).text.slice(node.pos, node.end));
  return node.pos + precedingText![0].length;
}

/** Finds the function in whose parameters the name is declared. */
export function findEnclosingFunction(declaration: Node): FunctionNode {
  let node = declaration.parent;
  while (!isFunctionNode(node)) node = node.parent;
  return node;
}
