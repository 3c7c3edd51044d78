import { createHash } from 'node:crypto';

type Prepared = { readonly text: string; readonly name: string };
export type Statement = Prepared & { readonly values: unknown[] };

/** A statement with its values, or a part of one; made only by the `sql` tag, so that values never become SQL text. */
export class Sql implements Statement {
  readonly text: string;
  readonly name: string;
  readonly strings: readonly string[];
  readonly values: unknown[];

  constructor({ text, name }: Prepared, strings: readonly string[], values: unknown[]) {
    this.text = text;
    this.name = name;
    this.strings = strings;
    this.values = values;
  }
}

const prepared = new WeakMap<TemplateStringsArray, Prepared>();
const composed = new Map<string, Prepared & { readonly strings: readonly string[] }>();
const numbers = new WeakMap<readonly string[], number>();
let places = 0;

/**
 * sql`select ... where id = ${id}`: each place in the source is one named prepared statement. A value that was itself made by
 * `sql` becomes a part of the statement, so a module can offer a fragment that another module includes.
 */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  if (values.some((value) => value instanceof Sql)) return compose(strings, values);
  let statement = prepared.get(strings);
  if (!statement) {
    statement = prepare(strings);
    prepared.set(strings, statement);
  }
  return new Sql(statement, strings, values);
}

/** A part of a statement whose text is made by the program. The same `strings` have to come again each time. */
export function fragment(strings: readonly string[], values: unknown[] = []): Sql {
  return new Sql({ text: '', name: '' }, strings, values);
}

function compose(strings: TemplateStringsArray, given: unknown[]): Sql {
  let key = `${numberOf(strings)}`;
  const values: unknown[] = [];
  for (const value of given) {
    if (value instanceof Sql) {
      key += ` ${numberOf(value.strings)}`;
      values.push(...value.values);
    } else {
      key += ' .';
      values.push(value);
    }
  }
  let statement = composed.get(key);
  if (!statement) {
    const joined = join(strings, given);
    statement = { ...prepare(joined), strings: joined };
    composed.set(key, statement);
  }
  return new Sql(statement, statement.strings, values);
}

/** Identifies a place in the source. */
function numberOf(strings: readonly string[]): number {
  const number = numbers.get(strings) ?? ++places;
  numbers.set(strings, number);
  return number;
}

function join(strings: readonly string[], given: unknown[]): string[] {
  const parts = [strings[0]!];
  for (const [i, value] of given.entries()) {
    const inner = value instanceof Sql ? value.strings : ['', ''];
    parts.push(`${parts.pop()}${inner[0]}`, ...inner.slice(1));
    parts.push(`${parts.pop()}${strings[i + 1]}`);
  }
  return parts;
}

function prepare(strings: readonly string[]): Prepared {
  const text = strings.reduce((all, part, i) => `${all}$${i}${part}`);
  return { text, name: createHash('sha1').update(text).digest('base64url') };
}
