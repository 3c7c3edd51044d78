import type { ParameterDeclaration } from 'typescript/unstable/ast';
import type { Type } from 'typescript/unstable/sync';
import { buildNodeKey, type FunctionNode, formatLocation, readNodeText } from './compiler.ts';

/** The type and the source of the value that the program passes for `$n`. */
export type Param = { readonly type: Type; readonly text: string };
/** A column of a `Columns`, with its types in the database and in the program. Has the table of an insert, or the alias of a select. */
export type DeclaredColumn = {
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
  readonly declaredColumns?: readonly DeclaredColumn[];
};
export type FunctionValue = { readonly kind: 'function'; readonly node: FunctionNode; readonly env: Env };
/** The value of an expression as far as it concerns SQL. Any other value is opaque: only its type is known. */
export type Value =
  | SqlValue
  | FunctionValue
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'object'; get(name: string): Value; names(): string[] }
  /** The function that `batchable` returns. `build` is its argument, which builds the statement. */
  | { readonly kind: 'batchable'; readonly build: FunctionValue }
  /** The statement of one caller, which may be joined to a batch: a call of that function. */
  | { readonly kind: 'batch row'; readonly build: FunctionValue }
  | { readonly kind: 'undefined' }
  | { readonly kind: 'opaque'; readonly param: Param };

/** An argument, which is evaluated when the function uses it. */
export type Thunk = () => Value;

export const UNDEFINED: Value = { kind: 'undefined' };

/** Returns a member of an object; undefined for opaque values. */
export function getMember(value: Value, name: string): Value | undefined {
  if (value.kind === 'object') return value.get(name);
  return value.kind === 'undefined' ? UNDEFINED : undefined;
}

/** The arguments of the enclosing functions, by the declarations of their parameters. */
export class Env {
  readonly #arguments = new Map<string, Thunk>();
  readonly #outer: Env | undefined;

  constructor(outer?: Env) {
    this.#outer = outer;
  }

  bind(parameter: ParameterDeclaration, value: Thunk): void {
    this.#arguments.set(buildNodeKey(parameter), value);
  }

  find(parameter: ParameterDeclaration): Thunk | undefined {
    return this.#arguments.get(buildNodeKey(parameter)) ?? this.#outer?.find(parameter);
  }
}

/** Thrown if a statement depends on the arguments of a function, so that its callers have to be evaluated. */
export class NeedsCaller extends Error {
  readonly callee: FunctionNode;
  readonly parameter: ParameterDeclaration;

  constructor(callee: FunctionNode, parameter: ParameterDeclaration) {
    super(`depends on ${readNodeText(parameter)} at ${formatLocation(parameter)}`);
    this.callee = callee;
    this.parameter = parameter;
  }
}

/** Thrown if the SQL of a statement cannot be determined. */
export class Unresolved extends Error {}
