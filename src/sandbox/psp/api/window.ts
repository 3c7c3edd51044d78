import { type ErrorKind, Violations } from './problem.ts';

/** The period and the page of a list. */
type Window = { from: Date; to: Date; page: number; size: number };

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;

export const FLAG = /^(true|false)$/;

type Query = Record<string, string>;

/** The parameters that all lists share, and those of one list, by their forms; null: not given. All faults are reported together. */
export function readList<Name extends string>(
  query: Query,
  kind: ErrorKind,
  forms: Record<Name, RegExp>,
): { window: Window; asked: Record<Name, string | null> } {
  const wrong = new Violations(kind);
  const from = instant(query.inicio);
  const to = instant(query.fim);
  if (!from) wrong.add('inicio', AGAINST_SCHEMA, query.inicio);
  if (!to) wrong.add('fim', AGAINST_SCHEMA, query.fim);
  if (from && to && to < from)
    wrong.add(
      'fim',
      'O timestamp representado pelo parâmetro fim é anterior ao representado por inicio.',
      query.fim,
    );
  const page = integer(query['paginacao.paginaAtual'] ?? '0', 0, 2 ** 31 - 1);
  const size = integer(query['paginacao.itensPorPagina'] ?? '100', 1, 1000);
  if (page === null) wrong.add('paginacao.paginaAtual', AGAINST_SCHEMA, query['paginacao.paginaAtual']);
  if (size === null) wrong.add('paginacao.itensPorPagina', AGAINST_SCHEMA, query['paginacao.itensPorPagina']);
  if (query.cpf !== undefined && query.cnpj !== undefined)
    wrong.add('cpf', 'Ambos os parâmetros cpf e cnpj estão preenchidos.');
  const asked = {} as Record<Name, string | null>;
  for (const [name, form] of Object.entries(forms) as [Name, RegExp][]) {
    const value = query[name];
    if (value !== undefined && !form.test(value)) wrong.add(name, AGAINST_SCHEMA, value);
    asked[name] = value ?? null;
  }
  wrong.throwIfAny();
  return { window: { from: from!, to: to!, page: page!, size: size! }, asked };
}

export const flag = (value: string | null): boolean | null => (value === null ? null : value === 'true');

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

const AGAINST_SCHEMA = (name: string) => `O parâmetro ${name} não respeita o _schema_.`;

export function instant(text: string | undefined): Date | null {
  if (text === undefined || !RFC_3339.test(text)) return null;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date;
}

function integer(text: string, least: number, most: number): number | null {
  return /^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : null;
}
