import { type Type, TypeFlags } from 'typescript/unstable/sync';
import { noteProgress } from '../hang.ts';
import type { Compiler } from './compiler.ts';
import type { Column, Describer, Kind, ParameterDescription, StatementDescription } from './describe.ts';
import type { FoundStatement } from './statements.ts';
import type { DeclaredColumn } from './values.ts';

type Mismatch = { readonly location: string; readonly message: string };

/** Returns the mismatches between the types of the program and the statements that the database describes. */
export async function checkStatements(
  compiler: Compiler,
  describer: Describer,
  statements: readonly FoundStatement[],
): Promise<Mismatch[]> {
  const comparison = new Comparison(compiler);
  const mismatches: Mismatch[] = [];
  for (const statement of statements) {
    noteProgress();
    const { text, params, location } = statement;
    const isNullableParam = (number: number) => comparison.isNullable(params[number - 1]!.type);
    try {
      const description = await describer.describe(text, isNullableParam);
      const columnMessages = statement.declaredColumns.flatMap((column) =>
        comparison.checkDeclaredColumn(column, text, describer),
      );
      const messages = [...columnMessages, ...comparison.checkStatement(statement, description)];
      mismatches.push(...messages.map((message) => ({ location, message })));
    } catch (error) {
      mismatches.push({ location, message: (error as Error).message });
    }
  }
  return mismatches;
}

class Comparison {
  readonly #compiler: Compiler;

  constructor(compiler: Compiler) {
    this.#compiler = compiler;
  }

  checkStatement(statement: FoundStatement, description: StatementDescription): string[] {
    const { row, params, isBatched } = statement;
    const paramMismatches = params.flatMap(({ type, text }, i) => {
      const param = description.params[i]!;
      return this.#canSend(type, param.kinds)
        ? []
        : [`$${i + 1} is ${param.typeName}, and \`${text}\` is ${this.#formatType(type)}`];
    });
    const hasKey = description.columns.some(
      ({ column }) => column === 'customer_id' || column === 'batch_key',
    );
    const batchKeyMismatches =
      isBatched && row && !hasKey
        ? ['rows that are batched have to name their customer_id or batch_key']
        : [];
    if (statement.isValue) return [...paramMismatches, ...this.#checkValue(row, description)];
    return [...paramMismatches, ...batchKeyMismatches, ...(row ? this.#checkRow(row, description) : [])];
  }

  /** Compares the declaration of a column with the column of its table. Columns of subqueries are not compared. */
  checkDeclaredColumn(
    { column, databaseType, type, table: insertTable, alias }: DeclaredColumn,
    text: string,
    describer: Describer,
  ): string[] {
    const table = insertTable ?? new RegExp(`(?:from|join) (\\w+) (?:as )?${alias}\\b`).exec(text)?.[1];
    const tableColumn = table && describer.findColumn(table, column);
    if (!tableColumn) return alias ? [] : [`the table into which ${column} is inserted is unknown`];
    const typeName = SHORT_TYPE_NAMES[tableColumn.typeName] ?? tableColumn.typeName;
    if (typeName !== databaseType) return [`${column} is ${typeName}, not ${databaseType}`];
    return insertTable && tableColumn.isNotNull && this.isNullable(type) ? [`${column} cannot be null`] : [];
  }

  /** Compares the only column with the type of a value. `undefined` in the type stands for a missing row. */
  #checkValue(value: Type | undefined, { columns }: StatementDescription): string[] {
    const [onlyColumn, ...otherColumns] = columns;
    if (!onlyColumn || otherColumns.length > 0) return [`there are ${columns.length} columns, not one`];
    if (!value) return ['the type of the value is unknown'];
    const { typeName, kind, nullability } = onlyColumn;
    if (!this.#fits(value, kind)) return [`the value is ${typeName}, not ${this.#formatType(value)}`];
    const canBeNull = nullability === 'nullable' || nullability === 'absent row';
    return canBeNull && !this.isNullable(value)
      ? [`the value can be null, and ${this.#formatType(value)} cannot`]
      : [];
  }

  #checkRow(row: Type, description: StatementDescription): string[] {
    const alternatives = row.isUnionType() ? row.getTypes() : [row];
    const { checker } = this.#compiler;
    // In `Row | { id: null }`, the second type is for a row that an outer join did not find, so `Row` need not allow null for it.
    const hasAbsentRowType = alternatives.some((alternative) =>
      checker
        .getPropertiesOfType(alternative)
        .some((property) =>
          this.#listKinds(checker.getTypeOfSymbol(property)!).every((kind) => kind === 'null'),
        ),
    );
    const canBeNull = ({ nullability }: Column) =>
      nullability === 'nullable' || (nullability === 'absent row' && !hasAbsentRowType);
    return alternatives.flatMap((alternative) =>
      checker.getPropertiesOfType(alternative).flatMap((property) => {
        const type = checker.getTypeOfSymbol(property)!;
        const resultColumn = description.columns.findLast(({ column }) => column === property.name);
        if (!resultColumn)
          return this.#listKinds(type).includes('undefined') ? [] : [`there is no column ${property.name}`];
        const { column, typeName, kind } = resultColumn;
        if (!this.#fits(type, kind)) return [`${column} is ${typeName}, not ${this.#formatType(type)}`];
        return canBeNull(resultColumn) && !this.isNullable(type)
          ? [`${column} can be null, and ${this.#formatType(type)} cannot`]
          : [];
      }),
    );
  }

  #formatType(type: Type): string {
    return this.#compiler.checker.typeToString(type);
  }

  isNullable(type: Type): boolean {
    const kinds = this.#listKinds(type);
    return ['null', 'undefined', 'unknown'].some((kind) => kinds.includes(kind));
  }

  /** Returns whether values of a kind in the database belong to the type. */
  #fits(type: Type, kind: Kind): boolean {
    return this.#listMembers(type).every((member) => {
      const memberKind = this.#findKind(member);
      if (memberKind === 'unknown' || memberKind === 'null' || memberKind === 'undefined') return true;
      if (kind === 'json') return this.#isJson(member);
      if (typeof kind === 'object')
        return memberKind === 'list' && this.#fits(this.#getElementType(member), kind.list);
      return memberKind === kind;
    });
  }

  /** Returns whether JSON can represent the type. A Date is a string in JSON. */
  #isJson(type: Type, maxDepth = 4): boolean {
    return this.#listMembers(type).every((member) => {
      const memberKind = this.#findKind(member);
      if (memberKind === 'Date' || memberKind === 'Buffer') return false;
      if (memberKind === 'list') return this.#isJson(this.#getElementType(member), maxDepth);
      if (memberKind !== 'object' || maxDepth === 0) return true;
      const { checker } = this.#compiler;
      return checker
        .getPropertiesOfType(member)
        .every((property) => this.#isJson(checker.getTypeOfSymbol(property)!, maxDepth - 1));
    });
  }

  /** Returns whether the driver can send a value of this type for the parameter. */
  #canSend(type: Type, kinds: ParameterDescription['kinds']): boolean {
    return this.#listMembers(type).every((member) => {
      const memberKind = this.#findKind(member);
      if (memberKind === 'unknown' || memberKind === 'null' || memberKind === 'undefined') return true;
      if ('list' in kinds)
        return memberKind === 'list' && this.#canSend(this.#getElementType(member), kinds.list);
      // An object is sent as JSON; a list would be sent as an array.
      return kinds.some(
        (kind) =>
          memberKind === kind || (kind === 'json' && (memberKind === 'string' || memberKind === 'object')),
      );
    });
  }

  #getElementType(list: Type): Type {
    const typeArguments = this.#compiler.checker.getTypeArguments(list as never);
    return typeArguments[0] ?? this.#compiler.checker.getUnknownType();
  }

  #listKinds(type: Type): string[] {
    return this.#listMembers(type).map((member) => this.#findKind(member));
  }

  /** Lists the members of a union; any other type is its only member. */
  #listMembers(type: Type): readonly Type[] {
    return type.isUnionType() ? type.getTypes().flatMap((member) => this.#listMembers(member)) : [type];
  }

  #findKind(type: Type): string {
    const { flags } = type;
    if (flags & (TypeFlags.Any | TypeFlags.Unknown)) return 'unknown';
    if (flags & TypeFlags.StringLike) return 'string';
    if (flags & TypeFlags.NumberLike) return 'number';
    if (flags & TypeFlags.BooleanLike) return 'boolean';
    if (flags & TypeFlags.Null) return 'null';
    if (flags & TypeFlags.Undefined) return 'undefined';
    if (flags & TypeFlags.Never) return 'unknown';
    // A branded number, such as Cents, is an intersection.
    if (type.isIntersectionType())
      return (
        type
          .getTypes()
          .map((member) => this.#findKind(member))
          .find((kind) => kind !== 'object') ?? 'object'
      );
    if (type.isTypeParameter()) {
      const constraint = this.#compiler.checker.getBaseConstraintOfType(type);
      return constraint ? this.#findKind(constraint) : 'unknown';
    }
    if (this.#compiler.checker.isArrayLikeType(type)) return 'list';
    const name = type.getSymbol()?.name ?? '';
    return KINDS_BY_CLASS[name] ?? 'object';
  }
}

const KINDS_BY_CLASS: Record<string, string> = { Date: 'Date', Buffer: 'Buffer', Uint8Array: 'Buffer' };

/** Short names of types that migrations and `columns.ts` use. */
const SHORT_TYPE_NAMES: Record<string, string> = { 'timestamp with time zone': 'timestamptz' };
