import type { Static, TObject } from 'typebox';
import { cents, toReais } from '#core/values/money.ts';

type Value<T> = T extends Date ? string : T;

/** The fields of a schema that a row has under the same name, or as `name_cents`. */
type ProjectedFields<S extends TObject, R> = {
  [Name in keyof Static<S> & string as Name extends keyof R
    ? Name
    : `${Name}_cents` extends keyof R
      ? Name
      : never]: Name extends keyof R ? Value<R[Name]> : number;
};

/** Projects a row to a schema: timestamps become text, and `amount_cents` becomes `amount` in reais. Code that lacks a field does not compile. */
export function project<S extends TObject, R extends object>(schema: S, row: R): ProjectedFields<S, R> {
  const values = row as Record<string, unknown>;
  const projectedEntries = Object.keys(schema.properties).flatMap((name) => {
    const [value, amount] = [values[name], values[`${name}_cents`]];
    if (value !== undefined) return [[name, value instanceof Date ? value.toISOString() : value]];
    return typeof amount === 'number' ? [[name, toReais(cents(amount))]] : [];
  });
  return Object.fromEntries(projectedEntries) as ProjectedFields<S, R>;
}
