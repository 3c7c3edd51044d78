import type { ParameterDeclaration } from 'typescript/unstable/ast';
import type { Type } from 'typescript/unstable/sync';
import { buildNodeKey, type FunctionNode, formatLocation, readNodeText } from './compiler.ts';

/** The value the program passes for `$n`. */
export type Param = { readonly type: Type; readonly text: string };
/** A column of a `Columns`: its type in the database, what the program has of it, and the table it is inserted into or the alias. */
export type Listed = {
  readonly column: string;
  readonly databaseType: string;
  readonly type: Type;
  readonly table?: string | undefined;
  readonly alias?: string;
};
export type SqlValue = {
  readonly kind: 'sql';
  readonly strings: readonly string[];
  readonly params: readonly Param[];
  readonly listed?: readonly Listed[];
};
export type FunctionValue = { readonly kind: 'function'; readonly node: FunctionNode; readonly env: Env };
/** The value of an expression, as far as it concerns SQL; anything else is opaque and known by its type only. */
export type Value =
  | SqlValue
  | FunctionValue
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'object'; get(name: string): Value; names(): string[] }
  /** Made by `batchable`. */
  | { readonly kind: 'batchable'; readonly build: FunctionValue }
  | { readonly kind: 'batch row'; readonly build: FunctionValue }
  | { readonly kind: 'undefined' }
  | { readonly kind: 'opaque'; readonly param: Param };

export type Thunk = () => Value;

/** The arguments of the enclosing functions, by declaration of the parameter. */
export class Env {
  readonly #bound = new Map<string, Thunk>();
  readonly #outer: Env | undefined;

  constructor(outer?: Env) {
    this.#outer = outer;
  }

  bind(parameter: ParameterDeclaration, value: Thunk): void {
    this.#bound.set(buildNodeKey(parameter), value);
  }

  find(parameter: ParameterDeclaration): Thunk | undefined {
    return this.#bound.get(buildNodeKey(parameter)) ?? this.#outer?.find(parameter);
  }
}

/** The statement depends on the arguments of this function. */
export class NeedsCaller extends Error {
  readonly callee: FunctionNode;
  readonly parameter: ParameterDeclaration;

  constructor(callee: FunctionNode, parameter: ParameterDeclaration) {
    super(`depends on ${readNodeText(parameter)} at ${formatLocation(parameter)}`);
    this.callee = callee;
    this.parameter = parameter;
  }
}

export class Unresolved extends Error {}
