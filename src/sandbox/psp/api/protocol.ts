import type { Bank } from '../bank.ts';

export type BankRequest = {
  bank: Bank;
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
  now: Date;
};

export type JsonObject = Record<string, unknown>;

export const asObject = (value: unknown): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;

export type PspResponse = { status: number; body?: unknown; contentType?: string };

export type RouteHandler = (request: BankRequest) => Promise<PspResponse>;

export type Routes = Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /v2/${string}`, RouteHandler>;

type Violation = { razao: string; propriedade: string; valor?: string };

type ErrorDefinition = readonly [status: number, title: string, detail: string];

const notFoundError = (detail: string): ErrorDefinition => [404, 'Não Encontrado', detail];
const invalidWriteError = (title: string, purpose: string): ErrorDefinition => [
  400,
  title,
  `A requisição que busca ${purpose} não respeita o _schema_ ou está semanticamente errada.`,
];
const invalidQueryError = (listName: string): ErrorDefinition => [
  400,
  'Consulta inválida.',
  `Os parâmetros de consulta à ${listName} não respeitam o _schema_ ou não fazem sentido semanticamente.`,
];

const ERRORS = {
  RequisicaoInvalida: [400, 'Requisição inválida.', 'A requisição não é um documento JSON válido.'],
  AcessoNegado: [
    403,
    'Acesso Negado',
    'Requisição de participante autenticado que viola alguma regra de autorização.',
  ],
  NaoEncontrado: notFoundError('Entidade não encontrada.'),
  ErroInternoDoServidor: [500, 'Erro interno do servidor.', 'Condição inesperada ao processar requisição.'],
  ServicoIndisponivel: [
    503,
    'Serviço Indisponível',
    'Serviço não está disponível no momento. Serviço solicitado pode estar em manutenção ou fora da janela de funcionamento.',
  ],
  CobNaoEncontrado: notFoundError('Cobrança não encontrada para o txid informado.'),
  CobOperacaoInvalida: invalidWriteError(
    'Cobrança inválida.',
    'alterar ou criar uma cobrança para pagamento imediato',
  ),
  CobConsultaInvalida: invalidQueryError('lista de cobranças para pagamento imediato'),
  PixNaoEncontrado: notFoundError('Pix não encontrado para o e2eid informado.'),
  PayloadLocationRecNaoEncontrado: notFoundError('Location não encontrada para o id informado.'),
  RecNaoEncontrada: notFoundError('Recorrência não encontrada para o idRec informado.'),
  RecOperacaoInvalida: invalidWriteError('Recorrência inválida.', 'criar ou alterar uma recorrência'),
  RecConsultaInvalida: invalidQueryError('recorrência'),
  CobRNaoEncontrado: notFoundError('Cobrança não encontrada para o txid informado.'),
  CobROperacaoInvalida: invalidWriteError('Cobrança inválida.', 'alterar ou criar uma cobrança recorrente'),
  PixConsultaInvalida: invalidQueryError('lista de pix recebidos'),
  PixDevolucaoNaoEncontrada: notFoundError(
    'Devolução representada por {id} não encontrada para o e2eid informado.',
  ),
  PixDevolucaoInvalida: [
    400,
    'Devolução inválida.',
    'A presente requisição de devolução não respeita o _schema_ ou não faz sentido semanticamente.',
  ],
  WebhookNaoEncontrado: notFoundError('O webhook denotado por {chave} não encontra-se estabelecido.'),
  WebhookOperacaoInvalida: [
    400,
    'Webhook inválido.',
    'A presente requisição busca criar um webhook sem respeitar o _schema_ ou, ainda, com sentido semanticamente inválido.',
  ],
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorKind = keyof typeof ERRORS;

const PROPERTY_PREFIXES: Partial<Record<ErrorKind, string>> = {
  CobOperacaoInvalida: 'cob.',
  RecOperacaoInvalida: 'rec.',
  CobROperacaoInvalida: 'cobr.',
  PixDevolucaoInvalida: 'devolucao.',
  WebhookOperacaoInvalida: 'webhook.',
};

export class PspProblem extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;

  constructor(
    kind: ErrorKind,
    violations: readonly Violation[] = [],
    responseOverrides: { status?: number; detail?: string } = {},
  ) {
    const [status, title, detail] = ERRORS[kind];
    super(kind);
    this.status = responseOverrides.status ?? status;
    this.body = {
      type: `https://pix.bcb.gov.br/api/v2/error/${kind}`,
      title,
      status: this.status,
      detail: responseOverrides.detail ?? detail,
      ...(violations.length > 0 && { violacoes: violations }),
    };
  }
}

type Reason = string | ((name: string) => string);

export const FIELD_INVALID: Reason = (name) => `O campo ${name} não respeita o _schema_.`;
export const OBJECT_INVALID: Reason = (name) => `O objeto ${name} não respeita o _schema_.`;

/** Collects violations, so that one response reports all of them. */
export class Violations {
  readonly #kind: ErrorKind;
  readonly #prefix: string;
  readonly #list: Violation[] = [];

  constructor(kind: ErrorKind, prefix = PROPERTY_PREFIXES[kind] ?? '') {
    this.#kind = kind;
    this.#prefix = prefix;
  }

  add(property: string, reason: Reason, value?: unknown): void {
    const name = `${this.#prefix}${property}`;
    const razao = typeof reason === 'string' ? reason : reason(name);
    const isPrintable = typeof value === 'string' || typeof value === 'number';
    this.#list.push({ razao, propriedade: name, ...(isPrintable && { valor: String(value).slice(0, 200) }) });
  }

  addInvalidField(property: string, value?: unknown): void {
    this.add(property, FIELD_INVALID, value);
  }

  get problem(): PspProblem {
    return new PspProblem(this.#kind, this.#list);
  }

  throwIfAny(): void {
    if (this.#list.length > 0) throw this.problem;
  }
}

export function throwViolation(kind: ErrorKind, property: string, reason: Reason, value?: unknown): never {
  const violations = new Violations(kind);
  violations.add(property, reason, value);
  throw violations.problem;
}

/** Finds a row by its id, or throws. A malformed id is not looked up, because PostgreSQL refuses text with a zero byte. */
export async function findOrThrow<T>(
  id: string | undefined,
  isId: (id: string) => boolean,
  find: (id: string) => Promise<T | undefined>,
  notFoundKind: ErrorKind,
): Promise<T> {
  const row = id !== undefined && isId(id) ? await find(id) : undefined;
  if (row === undefined) throw new PspProblem(notFoundKind);
  return row;
}
