import { type ErrorKind, Violations } from './protocol.ts';

type ListRange = { from: Date; to: Date; page: number; size: number };

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;

export const FLAG_PATTERN = /^(true|false)$/;

type Query = Record<string, string>;

const MAX_PAGE = 2 ** 31 - 1;
const DEFAULT_PAGE_SIZE = '100';
const MAX_PAGE_SIZE = 1_000;

/** Parses the common parameters of lists, and the filters of one list by their patterns. Missing filters are null. */
export function parseListQuery<Name extends string>(
  query: Query,
  kind: ErrorKind,
  filterPatterns: Record<Name, RegExp>,
): { range: ListRange; filters: Record<Name, string | null> } {
  const violations = new Violations(kind);
  const from = parseInstant(query.inicio);
  const to = parseInstant(query.fim);
  if (!from) violations.add('inicio', describeInvalidParameter, query.inicio);
  if (!to) violations.add('fim', describeInvalidParameter, query.fim);
  if (from && to && to < from)
    violations.add(
      'fim',
      'O timestamp representado pelo parâmetro fim é anterior ao representado por inicio.',
      query.fim,
    );
  const page = parseInteger(query['paginacao.paginaAtual'] ?? '0', 0, MAX_PAGE);
  const size = parseInteger(query['paginacao.itensPorPagina'] ?? DEFAULT_PAGE_SIZE, 1, MAX_PAGE_SIZE);
  if (page === null)
    violations.add('paginacao.paginaAtual', describeInvalidParameter, query['paginacao.paginaAtual']);
  if (size === null)
    violations.add('paginacao.itensPorPagina', describeInvalidParameter, query['paginacao.itensPorPagina']);
  if (query.cpf !== undefined && query.cnpj !== undefined)
    violations.add('cpf', 'Ambos os parâmetros cpf e cnpj estão preenchidos.');
  const filters = {} as Record<Name, string | null>;
  for (const [name, pattern] of Object.entries(filterPatterns) as [Name, RegExp][]) {
    const value = query[name];
    if (value !== undefined && !pattern.test(value)) violations.add(name, describeInvalidParameter, value);
    filters[name] = value ?? null;
  }
  violations.throwIfAny();
  return { range: { from: from!, to: to!, page: page!, size: size! }, filters };
}

export const parseFlag = (value: string | null): boolean | null => (value === null ? null : value === 'true');

export const toLimitOffset = ({ page, size }: ListRange) => ({ offset: page * size, limit: size });

type ListParameters = { paginacao: Record<string, number> };

/** Renders the standard's `parametros` of a list: the query, with flags as booleans, and the pagination. */
export function renderParameters(query: Query, { page, size }: ListRange, total: number): ListParameters {
  const { 'paginacao.paginaAtual': _page, 'paginacao.itensPorPagina': _size, ...filters } = query;
  const flags = Object.keys(filters).filter((name) => name.endsWith('Presente'));
  return {
    ...filters,
    ...Object.fromEntries(flags.map((name) => [name, filters[name] === 'true'])),
    paginacao: {
      paginaAtual: page,
      itensPorPagina: size,
      quantidadeDePaginas: Math.max(1, Math.ceil(total / size)),
      quantidadeTotalDeItens: total,
    },
  };
}

const describeInvalidParameter = (name: string) => `O parâmetro ${name} não respeita o _schema_.`;

export function parseInstant(text: string | undefined): Date | null {
  if (text === undefined || !RFC_3339.test(text)) return null;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date;
}

const parseInteger = (text: string, min: number, max: number): number | null =>
  /^\d{1,10}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : null;

export const CPF_PATTERN = /^\d{11}$/;
export const CNPJ_PATTERN = /^[0-9A-Z]{14}$/;

export const isTxid = (text: string): boolean => /^[a-zA-Z0-9]{26,35}$/.test(text);

export const isEndToEndId = (text: string): boolean => /^[a-zA-Z0-9]{32}$/.test(text);

export const isRecId = (text: string): boolean => /^[a-zA-Z0-9]{29}$/.test(text);

export const isRecLocationId = (text: string): boolean => /^\d{1,15}$/.test(text);

export const isLocationToken = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

export const isPixKey = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,77}$/.test(value);

/** Whether the value is text that a payer's app can show: it has no control characters and no lone surrogates. */
export function isLineOfLength(value: unknown, minLength: number, maxLength: number): value is string {
  return (
    typeof value === 'string' &&
    value.length >= minLength &&
    value.length <= maxLength &&
    value.isWellFormed() &&
    !/\p{Cc}/u.test(value)
  );
}
