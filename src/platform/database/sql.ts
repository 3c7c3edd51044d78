import { createHash } from 'node:crypto';

type Prepared = { readonly text: string; readonly name: string };
export type Statement = Prepared & { readonly values: unknown[] };

/** A statement or fragment with its values. Only the `sql` tag creates one, so values never become SQL text. */
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

const preparedStatements = new WeakMap<TemplateStringsArray, Prepared>();
const composedStatements = new Map<string, Prepared & { readonly strings: readonly string[] }>();
const sourceNumbers = new WeakMap<readonly string[], number>();
let sourceCount = 0;

/** One named prepared statement for each place in the source. A value that is an `Sql` becomes a part of the statement. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  if (values.some((value) => value instanceof Sql)) return compose(strings, values);
  let statement = preparedStatements.get(strings);
  if (!statement) {
    statement = prepare(strings);
    preparedStatements.set(strings, statement);
  }
  return new Sql(statement, strings, values);
}

/** A fragment whose text is built by the program. Pass the same `strings` object each time, because it identifies the fragment. */
export function fragment(strings: readonly string[], values: unknown[] = []): Sql {
  return new Sql({ text: '', name: '' }, strings, values);
}

function compose(strings: TemplateStringsArray, inputs: unknown[]): Sql {
  let key = `${findNumber(strings)}`;
  const values: unknown[] = [];
  for (const value of inputs) {
    if (value instanceof Sql) {
      key += ` ${findNumber(value.strings)}`;
      values.push(...value.values);
    } else {
      key += ' .';
      values.push(value);
    }
  }
  let statement = composedStatements.get(key);
  if (!statement) {
    const joined = join(strings, inputs);
    statement = { ...prepare(joined), strings: joined };
    composedStatements.set(key, statement);
  }
  return new Sql(statement, statement.strings, values);
}

function findNumber(strings: readonly string[]): number {
  const number = sourceNumbers.get(strings) ?? ++sourceCount;
  sourceNumbers.set(strings, number);
  return number;
}

function join(strings: readonly string[], inputs: unknown[]): string[] {
  const parts = [strings[0]!];
  for (const [i, value] of inputs.entries()) {
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
