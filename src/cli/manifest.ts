import { readFileSync } from 'node:fs';
import type { CommandDeclaration } from '#platform/command-line/command.ts';

export type Input = {
  readonly in: 'path' | 'query' | 'header' | 'body';
  /** The name in the API. A field of a nested object is `terms/fine_percent`. */
  readonly name: string;
  readonly type: 'text' | 'integer' | 'number' | 'reais' | 'boolean' | 'list' | 'json';
  readonly choices?: readonly string[];
  /** The word `none` stands for null. */
  readonly nullable?: true;
  /** `@FILE` stands for the content of a file. */
  readonly fromFile?: true;
};

export type Format = 'reais' | 'instant';

/** A column has a heading, a field of the record (`a|b` is the first that is set) and a format. */
export type Column = readonly [heading: string, field: string, format?: Format];

export type Operation = {
  readonly method: string;
  readonly path: string;
  readonly inputs: Readonly<Record<string, Input>>;
  /** A `file` is not JSON. */
  readonly responseKind: 'list' | 'record' | 'file' | 'none';
  readonly columns?: readonly Column[];
  /** Formats of the fields of a record, or of the totals of a list, by path; items of a list are `installments[].amount`. */
  readonly formats?: Readonly<Record<string, Format>>;
  readonly emptyText?: string;
  /** The sentence to print afterwards, with `{field}` for fields of the request and the response. */
  readonly done?: string;
  /** The fields of the response that are printed alone, for scripts; `done` then goes to standard error. */
  readonly prints?: readonly string[];
  /** The exit code is 1 if this field of the response is set and not 0. */
  readonly failedIf?: string;
  /** The sentence to confirm, with `{field}` for fields of the request. */
  readonly confirm?: string;
  /** The path of the resource whose figures are printed before the confirmation, if the operation has no dry run. */
  readonly figures?: string;
  /** Whether the list has pages, and is also available as CSV. */
  readonly hasCsv?: true;
  readonly fileTypes?: readonly string[];
};

/** A command of the staff API has an operation. Other commands run on this machine. */
export type ManifestCommand = CommandDeclaration & { readonly operation?: Operation };

export const readManifest = (): ManifestCommand[] =>
  JSON.parse(readFileSync(new URL('./manifest.json', import.meta.url), 'utf8'));
