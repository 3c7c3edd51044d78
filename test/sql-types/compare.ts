import { type Type, TypeFlags } from 'typescript/unstable/sync';
import type { Compiler } from './compiler.ts';
import type { Column, Describer, Kind, ParameterDescription, StatementDescription } from './describe.ts';
import type { FoundStatement } from './statements.ts';
import type { Listed } from './values.ts';

type Fault = { readonly place: string; readonly fault: string };

/** Returns the faults of the statements. */
export async function checkStatements(
  compiler: Compiler,
  describer: Describer,
  statements: readonly FoundStatement[],
): Promise<Fault[]> {
  const comparison = new Comparison(compiler);
  const faults: Fault[] = [];
  for (const statement of statements) {
    const { text, params, place } = statement;
    const isNull = (number: number) => comparison.isNullable(params[number - 1]!.type);
    try {
      const described = await describer.describe(text, isNull);
      const ofListed = statement.listed.flatMap((one) => comparison.listedFaults(one, text, describer));
      faults.push(
        ...[...ofListed, ...comparison.faultsOf(statement, described)].map((fault) => ({ place, fault })),
      );
    } catch (error) {
      faults.push({ place, fault: (error as Error).message });
    }
  }
  return faults;
}

class Comparison {
  readonly #compiler: Compiler;

  constructor(compiler: Compiler) {
    this.#compiler = compiler;
  }

  faultsOf(statement: FoundStatement, described: StatementDescription): string[] {
    const { row, params, isBatched } = statement;
    const taken = params.flatMap(({ type, text }, i) => {
      const wanted = described.params[i]!;
      return this.#accepts(type, wanted.kinds)
        ? []
        : [`$${i + 1} is ${wanted.name}, and \`${text}\` is ${this.#name(type)}`];
    });
    const isNamed = described.columns.some(({ column }) => column === 'customer_id');
    const unnamed =
      isBatched && row && !isNamed ? ['rows that are batched have to name their customer_id'] : [];
    if (statement.isValue) return [...taken, ...this.#valueFaults(row, described)];
    return [...taken, ...unnamed, ...(row ? this.#rowFaults(row, described) : [])];
  }

  /** Whether the declaration of a column is that of its table. Of a subquery only its rows are compared. */
  listedFaults(
    { column, databaseType, type, table: into, alias }: Listed,
    text: string,
    describer: Describer,
  ): string[] {
    const table = into ?? new RegExp(`(?:from|join) (\\w+) (?:as )?${alias}\\b`).exec(text)?.[1];
    const found = table && describer.columnOf(table, column);
    if (!found) return alias ? [] : [`where ${column} is inserted is not known`];
    const name = NAMES[found.name] ?? found.name;
    if (name !== databaseType) return [`${column} is ${name}, not ${databaseType}`];
    return into && found.isNotNull && this.isNullable(type) ? [`${column} cannot be null`] : [];
  }

  /** `undefined` in the type is that of a missing row. */
  #valueFaults(value: Type | undefined, { columns }: StatementDescription): string[] {
    const [only, ...others] = columns;
    if (!only || others.length > 0) return [`there are ${columns.length} columns, not one`];
    if (!value) return ['what its values are is not known'];
    const { name, kind, nullability } = only;
    if (!this.#fits(value, kind)) return [`the value is ${name}, not ${this.#name(value)}`];
    const isNull = nullability === 'nullable' || nullability === 'absent';
    return isNull && !this.isNullable(value)
      ? [`the value can be null, and ${this.#name(value)} cannot`]
      : [];
  }

  #rowFaults(row: Type, described: StatementDescription): string[] {
    const alternatives = row.isUnionType() ? row.getTypes() : [row];
    const { checker } = this.#compiler;
    // `Row | { id: null }`: a row that an outer join did not find has a type of its own.
    const tellsAbsent = alternatives.some((alternative) =>
      checker
        .getPropertiesOfType(alternative)
        .some((property) =>
          this.#kindsOf(checker.getTypeOfSymbol(property)!).every((kind) => kind === 'null'),
        ),
    );
    const isNull = ({ nullability }: Column) =>
      nullability === 'nullable' || (nullability === 'absent' && !tellsAbsent);
    return alternatives.flatMap((alternative) =>
      checker.getPropertiesOfType(alternative).flatMap((property) => {
        const type = checker.getTypeOfSymbol(property)!;
        const foundColumn = described.columns.findLast(({ column }) => column === property.name);
        if (!foundColumn)
          return this.#kindsOf(type).includes('undefined') ? [] : [`there is no column ${property.name}`];
        const { column, name, kind } = foundColumn;
        if (!this.#fits(type, kind)) return [`${column} is ${name}, not ${this.#name(type)}`];
        return isNull(foundColumn) && !this.isNullable(type)
          ? [`${column} can be null, and ${this.#name(type)} cannot`]
          : [];
      }),
    );
  }

  #name(type: Type): string {
    return this.#compiler.checker.typeToString(type);
  }

  isNullable(type: Type): boolean {
    const kinds = this.#kindsOf(type);
    return ['null', 'undefined', 'unknown'].some((kind) => kinds.includes(kind));
  }

  /** Whether a value of the database is one of this type. */
  #fits(type: Type, kind: Kind): boolean {
    return this.#partsOf(type).every((part) => {
      const own = this.#kindOf(part);
      if (own === 'unknown' || own === 'null' || own === 'undefined') return true;
      if (kind === 'json') return this.#isJson(part);
      if (typeof kind === 'object') return own === 'list' && this.#fits(this.#elementOf(part), kind.list);
      return own === kind;
    });
  }

  /** Whether JSON can represent it: a Date is a string there. */
  #isJson(type: Type, depth = 4): boolean {
    return this.#partsOf(type).every((part) => {
      const own = this.#kindOf(part);
      if (own === 'Date' || own === 'Buffer') return false;
      if (own === 'list') return this.#isJson(this.#elementOf(part), depth);
      if (own !== 'object' || depth === 0) return true;
      const { checker } = this.#compiler;
      return checker
        .getPropertiesOfType(part)
        .every((property) => this.#isJson(checker.getTypeOfSymbol(property)!, depth - 1));
    });
  }

  /** Whether the driver can send a value of this type for the parameter. */
  #accepts(type: Type, kinds: ParameterDescription['kinds']): boolean {
    return this.#partsOf(type).every((part) => {
      const own = this.#kindOf(part);
      if (own === 'unknown' || own === 'null' || own === 'undefined') return true;
      if ('list' in kinds) return own === 'list' && this.#accepts(this.#elementOf(part), kinds.list);
      // An object is sent as JSON; a list would be sent as an array.
      return kinds.some(
        (kind) => own === kind || (kind === 'json' && (own === 'string' || own === 'object')),
      );
    });
  }

  #elementOf(list: Type): Type {
    const all = this.#compiler.checker.getTypeArguments(list as never);
    return all[0] ?? this.#compiler.checker.getUnknownType();
  }

  #kindsOf(type: Type): string[] {
    return this.#partsOf(type).map((part) => this.#kindOf(part));
  }

  #partsOf(type: Type): readonly Type[] {
    return type.isUnionType() ? type.getTypes().flatMap((one) => this.#partsOf(one)) : [type];
  }

  #kindOf(type: Type): string {
    const { flags } = type;
    if (flags & (TypeFlags.Any | TypeFlags.Unknown)) return 'unknown';
    if (flags & TypeFlags.StringLike) return 'string';
    if (flags & TypeFlags.NumberLike) return 'number';
    if (flags & TypeFlags.BooleanLike) return 'boolean';
    if (flags & TypeFlags.Null) return 'null';
    if (flags & TypeFlags.Undefined) return 'undefined';
    if (flags & TypeFlags.Never) return 'unknown';
    // A branded number, such as Cents.
    if (type.isIntersectionType())
      return (
        type
          .getTypes()
          .map((one) => this.#kindOf(one))
          .find((kind) => kind !== 'object') ?? 'object'
      );
    if (type.isTypeParameter()) {
      const bound = this.#compiler.checker.getBaseConstraintOfType(type);
      return bound ? this.#kindOf(bound) : 'unknown';
    }
    if (this.#compiler.checker.isArrayLikeType(type)) return 'list';
    const name = type.getSymbol()?.name ?? '';
    return CLASSES[name] ?? 'object';
  }
}

const CLASSES: Record<string, string> = { Date: 'Date', Buffer: 'Buffer', Uint8Array: 'Buffer' };

/** Short names of types, as migrations and `columns.ts` write them. */
const NAMES: Record<string, string> = { 'timestamp with time zone': 'timestamptz' };
