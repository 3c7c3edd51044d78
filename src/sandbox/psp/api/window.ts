import { type ErrorKind, Violations } from './problem.ts';

/** The period and the page of a list. */
export type Window = { from: Date; to: Date; page: number; size: number };

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;

type Query = Record<string, string>;

/** The parameters all lists share. `check` validates those of one list, so that all faults are reported together. */
export function readWindow(query: Query, kind: ErrorKind, check?: (wrong: Violations) => void): Window {
  const wrong = new Violations('');
  const from = instant(query.inicio);
  const to = instant(query.fim);
  if (!from) wrong.add('inicio', schema, query.inicio);
  if (!to) wrong.add('fim', schema, query.fim);
  if (from && to && to < from)
    wrong.add(
      'fim',
      () => 'O timestamp representado pelo parâmetro fim é anterior ao representado por inicio.',
      query.fim,
    );
  const page = integer(query['paginacao.paginaAtual'] ?? '0', 0, 2 ** 31 - 1);
  const size = integer(query['paginacao.itensPorPagina'] ?? '100', 1, 1000);
  if (page === null) wrong.add('paginacao.paginaAtual', schema, query['paginacao.paginaAtual']);
  if (size === null) wrong.add('paginacao.itensPorPagina', schema, query['paginacao.itensPorPagina']);
  if (query.cpf !== undefined && query.cnpj !== undefined)
    wrong.add('cpf', () => 'Ambos os parâmetros cpf e cnpj estão preenchidos.');
  check?.(wrong);
  wrong.throwIfAny(kind);
  return { from: from!, to: to!, page: page!, size: size! };
}

/** 'true' and 'false' as such; anything else is a fault. */
export function readFlag(query: Query, name: string, wrong: Violations): boolean | null {
  const value = query[name];
  if (value === undefined) return null;
  if (value !== 'true' && value !== 'false') wrong.add(name, schema, value);
  return value === 'true';
}

export function readMatching(query: Query, name: string, form: RegExp, wrong: Violations): string | null {
  const value = query[name];
  if (value !== undefined && !form.test(value)) wrong.add(name, schema, value);
  return value ?? null;
}

export const slice = ({ page, size }: Window) => ({ offset: page * size, limit: size });

type Parameters = { paginacao: Record<string, number> };

/** The `parametros` of a list by the standard: the query, with flags as booleans, and the paging. */
export function parameters(query: Query, { page, size }: Window, total: number): Parameters {
  const { 'paginacao.paginaAtual': _page, 'paginacao.itensPorPagina': _size, ...asked } = query;
  const flags = Object.keys(asked).filter((name) => name.endsWith('Presente'));
  return {
    ...asked,
    ...Object.fromEntries(flags.map((name) => [name, asked[name] === 'true'])),
    paginacao: {
      paginaAtual: page,
      itensPorPagina: size,
      quantidadeDePaginas: Math.max(1, Math.ceil(total / size)),
      quantidadeTotalDeItens: total,
    },
  };
}

const schema = (name: string) => `O parâmetro ${name} não respeita o _schema_.`;

export function instant(text: string | undefined): Date | null {
  if (text === undefined || !RFC_3339.test(text)) return null;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date;
}

function integer(text: string, least: number, most: number): number | null {
  return /^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : null;
}
