/** One thing that is wrong, as the standard writes it. */
type Violation = { razao: string; propriedade: string; valor?: string };

type Kind = readonly [status: number, title: string, detail: string];

const absent = (detail: string): Kind => [404, 'Não Encontrado', detail];
const badWrite = (title: string, of: string): Kind => [
  400,
  title,
  `A requisição que busca ${of} não respeita o _schema_ ou está semanticamente errada.`,
];
const badQuery = (of: string): Kind => [
  400,
  'Consulta inválida.',
  `Os parâmetros de consulta à ${of} não respeitam o _schema_ ou não fazem sentido semanticamente.`,
];

/** The standard's kinds of error that this PSP gives. */
const KINDS = {
  RequisicaoInvalida: [400, 'Requisição inválida.', 'A requisição não é um documento JSON válido.'],
  AcessoNegado: [
    403,
    'Acesso Negado',
    'Requisição de participante autenticado que viola alguma regra de autorização.',
  ],
  NaoEncontrado: absent('Entidade não encontrada.'),
  ErroInternoDoServidor: [500, 'Erro interno do servidor.', 'Condição inesperada ao processar requisição.'],
  ServicoIndisponivel: [
    503,
    'Serviço Indisponível',
    'Serviço não está disponível no momento. Serviço solicitado pode estar em manutenção ou fora da janela de funcionamento.',
  ],
  CobPayloadNaoEncontrado: absent('A cobrança em questão não foi encontrada para a location requisitada.'),
  CobNaoEncontrado: absent('Cobrança não encontrada para o txid informado.'),
  CobOperacaoInvalida: badWrite(
    'Cobrança inválida.',
    'alterar ou criar uma cobrança para pagamento imediato',
  ),
  CobConsultaInvalida: badQuery('lista de cobranças para pagamento imediato'),
  PayloadLocationNaoEncontrado: absent('Location não encontrada para o id informado.'),
  PayloadLocationOperacaoInvalida: [
    400,
    'Operação inválida.',
    'A presente requisição busca criar uma location sem respeitar o _schema_ estabelecido.',
  ],
  PayloadLocationConsultaInvalida: badQuery('lista de locations'),
  PixNaoEncontrado: absent('Pix não encontrado para o e2eid informado.'),
  PayloadLocationRecNaoEncontrado: absent('Location não encontrada para o id informado.'),
  RecNaoEncontrada: absent('Recorrência não encontrada para o idRec informado.'),
  RecOperacaoInvalida: badWrite('Recorrência inválida.', 'criar ou alterar uma recorrência'),
  RecConsultaInvalida: badQuery('recorrência'),
  CobRNaoEncontrado: absent('Cobrança não encontrada para o txid informado.'),
  CobROperacaoInvalida: badWrite('Cobrança inválida.', 'alterar ou criar uma cobrança recorrente'),
  PixConsultaInvalida: badQuery('lista de pix recebidos'),
  PixDevolucaoNaoEncontrada: absent('Devolução representada por {id} não encontrada para o e2eid informado.'),
  PixDevolucaoInvalida: [
    400,
    'Devolução inválida.',
    'A presente requisição de devolução não respeita o _schema_ ou não faz sentido semanticamente.',
  ],
  WebhookNaoEncontrado: absent('O webhook denotado por {chave} não encontra-se estabelecido.'),
  WebhookOperacaoInvalida: [
    400,
    'Webhook inválido.',
    'A presente requisição busca criar um webhook sem respeitar o _schema_ ou, ainda, com sentido semanticamente inválido.',
  ],
  WebhookConsultaInvalida: badQuery('lista de webhooks ativados'),
} as const satisfies Record<string, Kind>;

export type ErrorKind = keyof typeof KINDS;

/** What stands before every property of the body: `cob.valor.original`. */
const PREFIXES: Partial<Record<ErrorKind, string>> = {
  CobOperacaoInvalida: 'cob.',
  RecOperacaoInvalida: 'rec.',
  CobROperacaoInvalida: 'cobr.',
  PixDevolucaoInvalida: 'devolucao.',
  WebhookOperacaoInvalida: 'webhook.',
};

/** Thrown by a handler of the simulated API; answered as RFC 7807 in the standard's words. */
export class PspProblem extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;

  constructor(
    kind: ErrorKind,
    violations: readonly Violation[] = [],
    changed: { status?: number; detail?: string } = {},
  ) {
    const [status, title, detail] = KINDS[kind];
    super(kind);
    this.status = changed.status ?? status;
    this.body = {
      type: `https://pix.bcb.gov.br/api/v2/error/${kind}`,
      title,
      status: this.status,
      detail: changed.detail ?? detail,
      ...(violations.length > 0 && { violacoes: violations }),
    };
  }
}

type Reason = string | ((name: string) => string);

export const AGAINST_SCHEMA: Reason = (name) => `O campo ${name} não respeita o _schema_.`;
export const OBJECT_AGAINST_SCHEMA: Reason = (name) => `O objeto ${name} não respeita o _schema_.`;

/** Collects violations, to report them together. */
export class Violations {
  readonly #kind: ErrorKind;
  readonly #prefix: string;
  readonly #list: Violation[] = [];

  constructor(kind: ErrorKind, prefix = PREFIXES[kind] ?? '') {
    this.#kind = kind;
    this.#prefix = prefix;
  }

  add(property: string, reason: Reason, value?: unknown): void {
    const name = `${this.#prefix}${property}`;
    const razao = typeof reason === 'string' ? reason : reason(name);
    const isShown = typeof value === 'string' || typeof value === 'number';
    this.#list.push({ razao, propriedade: name, ...(isShown && { valor: String(value).slice(0, 200) }) });
  }

  schema(property: string, value?: unknown): void {
    this.add(property, AGAINST_SCHEMA, value);
  }

  get problem(): PspProblem {
    return new PspProblem(this.#kind, this.#list);
  }

  throwIfAny(): void {
    if (this.#list.length > 0) throw this.problem;
  }
}

/** One violation alone. */
export function refuse(kind: ErrorKind, property: string, reason: Reason, value?: unknown): never {
  const wrong = new Violations(kind);
  wrong.add(property, reason, value);
  throw wrong.problem;
}

/** What an id names. One of the wrong form is not looked up: PostgreSQL would refuse some, such as text with a zero byte. */
export async function found<T>(
  id: string | undefined,
  isId: (id: string) => boolean,
  find: (id: string) => Promise<T | undefined>,
  absent: ErrorKind,
): Promise<T> {
  const row = id !== undefined && isId(id) ? await find(id) : undefined;
  if (row === undefined) throw new PspProblem(absent);
  return row;
}
